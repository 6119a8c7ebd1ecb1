package ptx

import (
	"bytes"
	"encoding/binary"
	"math/bits"
)

// A request is one execution of a memory instruction by a warp. Its addresses
// are offsets in the block's shared memory or device addresses.
type request struct {
	m      *memOp
	in     *instr
	mask   uint32 // active lanes
	spaced bool   // all 32 lanes are active, and the addresses are affine
	affine
	lanes *row // the addresses where they are not
}

// at returns the address of a lane.
func (r *request) at(lane int) uint64 {
	if r.spaced {
		return r.affine.at(lane)
	}
	return r.lanes[lane]
}

// short reports whether the addresses of a spaced request make no detour between the
// ends of its halves.
func (r *request) short() bool { return r.step+1<<34 < 1<<35 }

// sideBySide is how many lanes of a spaced request follow each other without a gap, where
// each lane follows the one below it: all, or half of them.
func (r *request) sideBySide() uint64 {
	if r.half == 16*r.step {
		return 32
	}
	return 16
}

// row returns the addresses.
func (r *request) row() *row {
	if r.spaced {
		r.affine.fill(r.lanes)
	}
	return r.lanes
}

// affine returns base and step of a row that is affine.
func (r *row) affine() (affine, bool) {
	a, bad := affine{r[0], r[1] - r[0], r[16] - r[0]}, uint64(0)
	for i := 1; i < 16; i++ {
		bad |= r[i] - r[i-1] ^ a.step
		bad |= r[16+i] - r[15+i] ^ a.step
	}
	return a, bad == 0
}

// each calls f for every active lane, lowest first, until it returns an error.
func (r *request) each(f func(lane int) error) error {
	for rest := r.mask; rest != 0; rest &= rest - 1 {
		if err := f(bits.TrailingZeros32(rest) & 31); err != nil {
			return err
		}
	}
	return nil
}

// data returns the lanes that are loaded or stored.
func (m *memOp) data(regs []register) (rows [4]*row) {
	for i, r := range m.regs[:m.n] {
		if m.store {
			rows[i] = regs[r].row()
		} else if r >= 0 {
			rows[i] = regs[r].change()
		}
	}
	return rows
}

// move copies between the lane's registers and its bytes.
func (m *memOp) move(rows *[4]*row, lane int, b []byte) {
	b = b[:m.bytes]
	for i, row := range rows[:m.n] {
		e := b[i*m.elem : (i+1)*m.elem]
		if m.store {
			put(e, row[lane])
		} else if row != nil {
			row[lane] = get(e, m.signed) & m.masks[i]
		}
	}
}

func get(b []byte, signed bool) uint64 {
	var v uint64
	switch len(b) {
	case 1:
		v = uint64(b[0])
	case 2:
		v = uint64(binary.LittleEndian.Uint16(b))
	case 4:
		v = uint64(binary.LittleEndian.Uint32(b))
	default:
		v = binary.LittleEndian.Uint64(b)
	}
	if signed {
		return uint64(sx(v, 8*len(b)))
	}
	return v
}

func put(b []byte, v uint64) {
	switch len(b) {
	case 1:
		b[0] = byte(v)
	case 2:
		binary.LittleEndian.PutUint16(b, uint16(v))
	case 4:
		binary.LittleEndian.PutUint32(b, uint32(v))
	default:
		binary.LittleEndian.PutUint64(b, v)
	}
}

// moveAll does the same for all active lanes. at gives the lane's offset in b.
func (r *request) moveAll(regs []register, b []byte, base uint64) {
	m := r.m
	if m.n == 1 && m.elem == 4 && r.spaced && !m.signed && m.regs[0] >= 0 {
		r.moveWords(&regs[m.regs[0]], b, base)
		return
	}
	if m.elem == 4 && !m.signed && r.mask == ^uint32(0) {
		r.moveFullFours(regs, b, base)
		return
	}
	rows := m.data(regs)
	if m.elem == 4 && !m.signed {
		r.moveFours(&rows, b, base)
		return
	}
	for rest := r.mask; rest != 0; rest &= rest - 1 {
		i := bits.TrailingZeros32(rest) & 31
		m.move(&rows, i, b[r.at(i)-base:])
	}
}

// moveFours is moveAll for elements of 4 bytes, as of float, float2 and float4.
func (r *request) moveFours(rows *[4]*row, b []byte, base uint64) {
	m := r.m
	for rest := r.mask; rest != 0; rest &= rest - 1 {
		i := bits.TrailingZeros32(rest) & 31
		e := b[r.at(i)-base:][:m.bytes]
		for j, row := range rows[:m.n] {
			if m.store {
				binary.LittleEndian.PutUint32(e[4*j:], uint32(row[i]))
			} else if row != nil {
				row[i] = uint64(binary.LittleEndian.Uint32(e[4*j:])) & m.masks[j]
			}
		}
	}
}

// moveFullFours is moveFours for a full warp: register after register.
func (r *request) moveFullFours(regs []register, b []byte, base uint64) {
	m, addr := r.m, r.lanes
	if !r.spaced {
		for j, reg := range m.regs[:m.n] {
			if reg < 0 { // loaded and thrown away
				continue
			}
			x, start := &regs[reg], base-uint64(4*j)
			if !m.store {
				words := &x.overwrite(isWords).words
				for i, a := range addr {
					binary.LittleEndian.PutUint32(words[4*i:], binary.LittleEndian.Uint32(b[a-start:]))
				}
				continue
			}
			words := x.asWords()
			for i, a := range addr {
				binary.LittleEndian.PutUint32(b[a-start:], binary.LittleEndian.Uint32(words[4*i:]))
			}
		}
		return
	}
	step := int(r.step)
	for j, reg := range m.regs[:m.n] {
		if reg < 0 {
			continue
		}
		x, off := &regs[reg], int(r.base-base)+4*j
		if !m.store {
			words := &x.overwrite(isWords).words
			for h := 0; h < 128; h += 64 {
				at := off
				for i := h; i < h+64; i += 4 {
					binary.LittleEndian.PutUint32(words[i:], binary.LittleEndian.Uint32(b[at:]))
					at += step
				}
				off += int(r.half)
			}
			continue
		}
		words := x.asWords()
		for h := 0; h < 128; h += 64 {
			at := off
			for i := h; i < h+64; i += 4 {
				binary.LittleEndian.PutUint32(b[at:], binary.LittleEndian.Uint32(words[i:]))
				at += step
			}
			off += int(r.half)
		}
	}
}

// moveWords is moveAll for a full warp of 4-byte values.
func (r *request) moveWords(x *register, b []byte, base uint64) {
	off, step := int(r.base-base), int(r.step)
	switch {
	case step == 4 && r.half == 64 && r.m.store && x.form&isWords != 0:
		copy(b[off:], x.words[:])
	case step == 4 && r.half == 64 && !r.m.store:
		copy(x.overwrite(isWords).words[:], b[off:])
	case r.m.store && x.form&isWords != 0:
		for h := 0; h < 128; h += 64 {
			at := off
			for i := h; i < h+64; i += 4 {
				binary.LittleEndian.PutUint32(b[at:at+4], binary.LittleEndian.Uint32(x.words[i:]))
				at += step
			}
			off += int(r.half)
		}
	case r.m.store:
		lanes := x.row()
		for h := 0; h < 32; h += 16 {
			at := off
			for _, v := range lanes[h : h+16] {
				binary.LittleEndian.PutUint32(b[at:at+4], uint32(v))
				at += step
			}
			off += int(r.half)
		}
	default:
		words := &x.overwrite(isWords).words
		for h := 0; h < 128; h += 64 {
			at := off
			for i := h; i < h+64; i += 4 {
				binary.LittleEndian.PutUint32(words[i:], binary.LittleEndian.Uint32(b[at:at+4]))
				at += step
			}
			off += int(r.half)
		}
	}
}

// storesAgain reports whether what a lane stores at addr is there already, after the
// stores of the lanes below it. b is the memory from base on.
func (r *request) storesAgain(regs []register, lane int, addr uint64, size int, b []byte, base uint64) bool {
	if r.in.op != opMem {
		return false
	}
	rows := r.m.data(regs)
	var mine, other [16]byte
	r.m.move(&rows, lane, mine[:])
	there := b[addr-base:][:size]
	for below := r.mask & (1<<lane - 1); below != 0; {
		i := 31 - bits.LeadingZeros32(below)
		if off := addr - r.at(i); off < uint64(r.m.bytes) {
			r.m.move(&rows, i, other[:])
			there = other[off:][:size]
			break
		}
		below &^= 1 << i
	}
	return bytes.Equal(mine[addr-r.at(lane):][:size], there)
}
