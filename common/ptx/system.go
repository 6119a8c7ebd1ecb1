package ptx

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"path"
)

// system has the functions that no PTX text defines, because the driver does
// (CUDA C++ Programming Guide, "Formatted Output" and "Assertion"; PTX Writer's
// Guide to Interoperability, "System Calls").
var system map[string]func(l *lowerer) error

func init() {
	system = map[string]func(l *lowerer) error{"vprintf": (*lowerer).vprintf, "__assertfail": (*lowerer).assertFail}
}

// vprintf reads int vprintf(format, arguments).
func (l *lowerer) vprintf() error {
	rets, params, err := l.arguments(1, 2)
	if err != nil {
		return err
	}
	l.emit(instr{op: opWarp, d: -1, warp: func(k *worker, w *warp, in *instr, m uint32) error {
		for rest := m; rest != 0; rest &= rest - 1 {
			i := bits.TrailingZeros32(rest) & 31
			mine := k.frameOf(w, i)
			text, n, ok := k.format(w, i, word64(mine, params[0]), word64(mine, params[1]))
			if !ok {
				return k.badString(w, in, i)
			}
			k.printed.add(k.block, text)
			binary.LittleEndian.PutUint32(mine[rets[0]:], uint32(n))
		}
		return nil
	}})
	return nil
}

// assertFail reads void __assertfail(condition, file, line, function, size of a char).
func (l *lowerer) assertFail() error {
	_, params, err := l.arguments(0, 5)
	if err != nil {
		return err
	}
	l.emit(instr{op: opTrap, d: -1, warp: func(k *worker, w *warp, in *instr, m uint32) error {
		i := bits.TrailingZeros32(m) & 31
		mine := k.frameOf(w, i)
		condition, ok := k.cString(w, i, word64(mine, params[0]))
		file, isFile := k.cString(w, i, word64(mine, params[1]))
		if !ok || !isFile {
			return k.badString(w, in, i)
		}
		f := k.fault(AssertFailed, w, in.site, i)
		f.detail = fmt.Sprintf("block %v, thread %v: %s does not hold\nat %s:%d", f.Block, f.Thread, condition,
			path.Base(file), binary.LittleEndian.Uint32(mine[params[2]:]))
		return f
	}})
	return nil
}

// trap executes trap and brkpt.
func trap(k *worker, w *warp, in *instr, m uint32) error {
	f := k.fault(Trapped, w, in.site, bits.TrailingZeros32(m)&31)
	f.detail = fmt.Sprintf("block %v, thread %v stops the kernel\nat %s", f.Block, f.Thread, place(f.Site))
	return f
}

// badString accuses a lane of giving what is no string, or no arguments.
func (k *worker) badString(w *warp, in *instr, lane int) error {
	f := k.fault(OutOfBounds, w, in.site, lane)
	f.detail = fmt.Sprintf("block %v, thread %v gives printf or assert an address that is no string or argument\nat %s: does each %%s have its char*?",
		f.Block, f.Thread, place(f.Site))
	return f
}

// own returns the local memory of a lane.
func (k *worker) own(w *warp, lane int) []byte {
	n := k.p.localBytes
	return k.localMem[(w.index*32+lane)*n:][:n]
}

func word64(b []byte, at int) uint64 { return binary.LittleEndian.Uint64(b[at:]) }

// bytesAt returns what lies at a generic address and behind it.
func (k *worker) bytesAt(w *warp, lane int, addr uint64) []byte {
	b, start := []byte(nil), uint64(0)
	switch addr / windowSize {
	case sharedWindow / windowSize:
		b, start = k.shared, sharedWindow
	case localWindow / windowSize:
		b, start = k.own(w, lane), localWindow
	case paramWindow / windowSize:
		b, start = k.l.params, paramWindow
	default:
		if a := k.l.find(addr); a != nil {
			b, start = a.data, a.base
		}
	}
	if addr-start > uint64(len(b)) {
		return nil
	}
	return b[addr-start:]
}
