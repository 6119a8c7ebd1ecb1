package common

import "transpose/common/ptx"

// PerRequest is what one request of a kernel asks of memory, on average over
// all requests of a launch: sectors of global memory, wavefronts of shared
// memory. 0 stands for no such access.
type PerRequest struct {
	Kernel                  string
	Load, Store             float64 // sectors
	SharedLoad, SharedStore float64 // wavefronts
}

// PerRequest returns the counts of every kernel that was counted and accessed
// memory, in the order of the run.
func (r *Report) PerRequest() []PerRequest {
	var list []PerRequest
	for _, row := range r.Rows {
		if p, ok := row.perRequest(); ok {
			list = append(list, p)
		}
	}
	return list
}

// perRequest returns the counts of one kernel, and whether there are any.
func (row Row) perRequest() (p PerRequest, ok bool) {
	if row.Counts == nil || len(row.Counts.Accesses) == 0 {
		return p, false
	}
	return PerRequest{
		Kernel:      row.Kernel.Name,
		Load:        perRequest(row.Counts, ptx.Global, false),
		Store:       perRequest(row.Counts, ptx.Global, true),
		SharedLoad:  perRequest(row.Counts, ptx.Shared, false),
		SharedStore: perRequest(row.Counts, ptx.Shared, true),
	}, true
}

func perRequest(c *ptx.Counts, space ptx.Space, store bool) float64 {
	requests, cost := total(c, space, store)
	if requests == 0 {
		return 0
	}
	return float64(cost) / float64(requests)
}

// total adds up the accesses of one kind: how many requests a launch made, and
// how many sectors or wavefronts they cost. c may be nil.
func total(c *ptx.Counts, space ptx.Space, store bool) (requests, cost int64) {
	if c == nil {
		return 0, 0
	}
	for _, a := range c.Accesses {
		if a.Space == space && a.Store == store {
			requests += a.Requests
			cost += a.Sectors + a.Wavefronts // one of them is 0
		}
	}
	return requests, cost
}
