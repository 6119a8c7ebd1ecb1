package ptx

// maxSamples bounds what a traced warp may record.
const maxSamples = 1 << 16

// sample records a request of the traced warp.
func (k *worker) sample(r *request, s space) {
	if len(k.trace) == maxSamples {
		return
	}
	x := Sample{Site: k.p.sites[r.in.site], Store: r.m.store, Atomic: r.m.atomic != nil, Bytes: r.m.bytes, Active: r.mask, Addr: *r.row()}
	if s == spShared {
		x.Space = Shared
		for i := range x.Addr {
			x.Addr[i] = k.offset(x.Addr[i])
		}
	}
	k.trace = append(k.trace, x)
}
