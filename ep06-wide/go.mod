module transpose/ep06-wide

go 1.22.4

require (
	github.com/mumax/3 v0.0.0-20261020084628-54efa12420b2
	transpose/common v0.0.0
)

require github.com/google/go-cmp v0.7.0 // indirect

replace transpose/common => ../common
