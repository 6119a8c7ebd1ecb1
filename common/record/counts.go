package record

import "transpose/common/ptx"

// A Kind is a kind of memory request.
type Kind struct {
	Space ptx.Space
	Store bool
}

// A Traffic is what the requests of one kind asked of memory in one launch.
type Traffic struct {
	Requests int64 // one for each execution of an instruction by a warp
	Cost     int64 // sectors of global memory, wavefronts of shared memory
	Best     int64 // the least that these requests could cost
}

// Sum adds up the accesses of one kind. c may be nil.
func (k Kind) Sum(c *ptx.Counts) (t Traffic) {
	if c == nil {
		return t
	}
	for _, a := range c.Accesses {
		if a.Space == k.Space && a.Store == k.Store {
			t.Requests += a.Requests
			if k.Space == ptx.Global {
				t.Cost += a.Sectors
				t.Best += a.BestSectors
			} else {
				t.Cost += a.Wavefronts
				t.Best += a.BestWavefronts
			}
		}
	}
	return t
}

// PerRequest is the cost of one request, on average; 0 if there was none.
func (t Traffic) PerRequest() float64 { return quotient(t.Cost, t.Requests) }

// BestPerRequest is the least that one request could cost, on average.
func (t Traffic) BestPerRequest() float64 { return quotient(t.Best, t.Requests) }

func quotient(a, b int64) float64 {
	if b == 0 {
		return 0
	}
	return float64(a) / float64(b)
}

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
func (r *Run) PerRequest() []PerRequest {
	var list []PerRequest
	for _, row := range r.Rows {
		if row.Counts == nil || len(row.Counts.Accesses) == 0 {
			continue
		}
		of := func(space ptx.Space, store bool) float64 { return Kind{space, store}.Sum(row.Counts).PerRequest() }
		list = append(list, PerRequest{
			Kernel:      row.Kernel.Name,
			Load:        of(ptx.Global, false),
			Store:       of(ptx.Global, true),
			SharedLoad:  of(ptx.Shared, false),
			SharedStore: of(ptx.Shared, true),
		})
	}
	return list
}
