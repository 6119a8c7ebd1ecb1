package record

import "transpose/common/ptx"

// A Kind is a kind of memory request.
type Kind struct {
	Space ptx.Space
	Store bool
}

// Sum adds up the accesses of one kind. c may be nil.
func (k Kind) Sum(c *ptx.Counts) ptx.Access {
	return sum(c, func(a *ptx.Access) bool { return a.Space == k.Space && a.Store == k.Store })
}

// Total adds up all accesses. c may be nil.
func Total(c *ptx.Counts) ptx.Access {
	return sum(c, func(*ptx.Access) bool { return true })
}

func sum(c *ptx.Counts, of func(*ptx.Access) bool) (total ptx.Access) {
	if c == nil {
		return total
	}
	for i := range c.Accesses {
		if a := &c.Accesses[i]; of(a) {
			total.Space, total.Store = a.Space, a.Store
			total.Add(*a)
		}
	}
	return total
}

// perRequest is what one request costs, on average; 0 if there was none.
func perRequest(cost, requests int64) float64 {
	if requests == 0 {
		return 0
	}
	return float64(cost) / float64(requests)
}

// PerRequest is what one request of a kernel asks of memory, on average over
// all requests of a launch. 0 stands for no such access.
type PerRequest struct {
	Kernel                          string
	Load, Store                     float64 // sectors of global memory
	LoadWavefronts, StoreWavefronts float64 // of the same requests
	SharedLoad, SharedStore         float64 // wavefronts in shared memory
}

// PerRequest returns the counts of every kernel that was counted and accessed
// memory, in the order of the run.
func (r *Run) PerRequest() []PerRequest {
	var list []PerRequest
	for _, row := range r.Rows {
		if row.Counts == nil || len(row.Counts.Accesses) == 0 {
			continue
		}
		cost := func(space ptx.Space, store bool) (sectors, wavefronts float64) {
			a := Kind{space, store}.Sum(row.Counts)
			return perRequest(a.Sectors, a.Requests), perRequest(a.Wavefronts, a.Requests)
		}
		p := PerRequest{Kernel: row.Kernel.Name}
		p.Load, p.LoadWavefronts = cost(ptx.Global, false)
		p.Store, p.StoreWavefronts = cost(ptx.Global, true)
		_, p.SharedLoad = cost(ptx.Shared, false)
		_, p.SharedStore = cost(ptx.Shared, true)
		list = append(list, p)
	}
	return list
}
