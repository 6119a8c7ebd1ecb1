package ptx

import (
	"fmt"
	"sync"
)

// slotBits is the size of an allocation's slot, as a power of two. The
// allocation starts near the middle, so an index that is wrong by billions of
// elements either way still stays in the slot and is accused of leaving this
// allocation, never mistaken for an access to another.
const slotBits = 40

const slotMiddle = 1 << (slotBits - 1)

// slotBase is where the allocation of a slot starts. No distance between two
// is a power of two, so that no index wrong by one leads from one to another;
// the last 28 bits are 0, so that an address shows how far into its allocation it is.
func slotBase(slot uint64) uint64 {
	scattered := slot * slot * 0x9E3779B97F4A7C15 >> 28 // by the golden ratio
	return slot<<slotBits + slotMiddle + scattered%(slotMiddle/8)&^(1<<28-1)
}

// Memory is the global memory of an emulated device. Address 0 is never valid
// and no address is used twice, so that use after Free is found.
// Its methods may be called from several goroutines.
type Memory struct {
	mu    sync.RWMutex
	slots map[uint64][]byte // by address >> slotBits
	next  uint64

	// The variables of each module that was launched live on between launches.
	vars     map[*variable]uint64
	constant map[uint64]bool // slots of .const variables
}

// NewMemory returns an empty memory. It has no size limit of its own.
func NewMemory() *Memory {
	return &Memory{slots: map[uint64][]byte{}, next: 1, vars: map[*variable]uint64{}, constant: map[uint64]bool{}}
}

// Alloc returns the address of that many new bytes, all zero, aligned to 512
// bytes or better.
func (m *Memory) Alloc(bytes int64) (uint64, error) {
	if bytes <= 0 || bytes > slotMiddle/2 {
		return 0, fmt.Errorf("can not allocate %d bytes: want 1 to %d", bytes, int64(slotMiddle/2))
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.next>>(64-slotBits) != 0 {
		return 0, fmt.Errorf("can not allocate %d bytes: no addresses are left", bytes)
	}
	return m.place(make([]byte, bytes)), nil
}

// place gives b an address.
func (m *Memory) place(b []byte) uint64 {
	slot := m.next
	m.next++
	m.slots[slot] = b
	return slotBase(slot)
}

// Free releases an allocation. addr must be what Alloc returned.
func (m *Memory) Free(addr uint64) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	slot := addr >> slotBits
	if _, ok := m.slots[slot]; !ok || addr != slotBase(slot) {
		return fmt.Errorf("%#x is not the start of an allocation", addr)
	}
	delete(m.slots, slot)
	return nil
}

// Bytes returns the n bytes at addr, a view for host copies and memsets and
// no copy. All of them must lie in one allocation.
func (m *Memory) Bytes(addr uint64, n int64) ([]byte, error) {
	base, size := m.Range(addr)
	off := int64(addr - base)
	if size == 0 || n < 0 || off < 0 || off > size || n > size-off {
		return nil, fmt.Errorf("%d bytes at %#x are not inside one allocation", n, addr)
	}
	m.mu.RLock()
	defer m.mu.RUnlock()
	return m.slots[addr>>slotBits][off : off+n : off+n], nil
}

// Range returns start and size in bytes of the allocation that addr points
// into or, if it points outside by mistake, that it was meant for: the one
// within 256 GiB. Both are 0 if there is none.
func (m *Memory) Range(addr uint64) (base uint64, size int64) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	slot := addr >> slotBits
	b, ok := m.slots[slot]
	if !ok {
		return 0, 0
	}
	return slotBase(slot), int64(len(b))
}

// Variable returns address and size of a variable of a module, such as a __constant__
// array, for Bytes. Like all variables it lives as long as the memory.
func (m *Memory) Variable(module *Module, name string) (addr uint64, size int64, err error) {
	for _, v := range module.vars {
		if v.name == name && !v.extern && (v.space == spGlobal || v.space == spConst) {
			m.mu.Lock()
			defer m.mu.Unlock()
			return m.variable(v), int64(v.size), nil
		}
	}
	return 0, 0, fmt.Errorf("the module has no global or constant variable %q", name)
}

// variables returns the addresses of the module-level variables that a
// program uses; they come to life at a module's first launch on this memory.
func (m *Memory) variables(p *program) map[*variable]uint64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	out := map[*variable]uint64{}
	for _, v := range p.vars {
		out[v] = m.variable(v)
	}
	return out
}

func (m *Memory) variable(v *variable) uint64 {
	addr, ok := m.vars[v]
	if !ok {
		b := make([]byte, max(v.size, 1))
		copy(b, v.init)
		addr = m.place(b)
		if v.space == spConst {
			m.constant[addr>>slotBits] = true
		}
		m.vars[v] = addr
	}
	return addr
}

// snapshot returns the allocations for a launch.
func (m *Memory) snapshot(shift int) map[uint64]*allocation {
	m.mu.RLock()
	defer m.mu.RUnlock()
	out := make(map[uint64]*allocation, len(m.slots))
	for slot, b := range m.slots {
		out[slot] = &allocation{index: len(out), base: slotBase(slot), data: b, readOnly: m.constant[slot], shift: shift}
	}
	return out
}
