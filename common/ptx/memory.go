package ptx

import (
	"fmt"
	"sync"
)

// slotBits is the distance between two allocations, as a power of two. An
// allocation starts in the middle of its slot, so an index that is wrong by
// billions of elements either way still stays in the slot and is accused of
// leaving this allocation, never mistaken for an access to another.
const slotBits = 40

const slotMiddle = 1 << (slotBits - 1)

// Memory is the global memory of an emulated device. Address 0 is never valid
// and no address is used twice, so that use after Free is found.
// Its methods may be called from several goroutines.
type Memory struct {
	mu    sync.RWMutex
	slots map[uint64][]byte // by address >> slotBits
	next  uint64
}

// NewMemory returns an empty memory. It has no size limit of its own.
func NewMemory() *Memory { return &Memory{slots: map[uint64][]byte{}, next: 1} }

// Alloc returns the address of that many new bytes, all zero, aligned to 512
// bytes or better.
func (m *Memory) Alloc(bytes int64) (uint64, error) {
	if bytes <= 0 || bytes > slotMiddle/2 {
		return 0, fmt.Errorf("can not allocate %d bytes: want 1 to %d", bytes, int64(slotMiddle/2))
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	slot := m.next
	m.next++
	m.slots[slot] = make([]byte, bytes)
	return slot<<slotBits + slotMiddle, nil
}

// Free releases an allocation. addr must be what Alloc returned.
func (m *Memory) Free(addr uint64) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	slot := addr >> slotBits
	if _, ok := m.slots[slot]; !ok || addr != slot<<slotBits+slotMiddle {
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
// within 512 GiB. Both are 0 if there is none.
func (m *Memory) Range(addr uint64) (base uint64, size int64) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	slot := addr >> slotBits
	b, ok := m.slots[slot]
	if !ok {
		return 0, 0
	}
	return slot<<slotBits + slotMiddle, int64(len(b))
}
