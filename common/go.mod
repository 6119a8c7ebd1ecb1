module transpose/common

go 1.22.4

require (
	github.com/google/go-cmp v0.7.0
	github.com/mumax/3 v0.0.0-20261020084628-54efa12420b2
)
