package cu

import (
	"fmt"
	"unsafe"

	"transpose/common/parallel"
)

// DevicePtr is an address in the memory of the device.
type DevicePtr uintptr

// Sizes of types in bytes.
const (
	SIZEOF_FLOAT32    = 4
	SIZEOF_FLOAT64    = 8
	SIZEOF_COMPLEX64  = 8
	SIZEOF_COMPLEX128 = 16
)

// totalMemory is the size of the emulated device's memory, enough for the
// series and small enough that a wrong size fails here and not in the host.
const totalMemory = 4 << 30

// MemAlloc allocates bytes of device memory.
func MemAlloc(bytes int64) DevicePtr {
	c := enterWaiting()
	defer end()
	if bytes <= 0 {
		fail(ERROR_INVALID_VALUE, nil)
	}
	if bytes > totalMemory-c.allocated {
		fail(ERROR_OUT_OF_MEMORY, nil)
	}
	addr, err := c.memory.Alloc(bytes)
	if err != nil {
		fail(ERROR_INVALID_VALUE, err)
	}
	c.allocated += bytes
	return DevicePtr(addr)
}

// MemFree frees what MemAlloc allocated. To free address 0 does nothing.
func MemFree(p DevicePtr) {
	if p == 0 {
		return
	}
	c := enterWaiting()
	defer end()
	_, size := c.memory.Range(uint64(p))
	if err := c.memory.Free(uint64(p)); err != nil {
		fail(ERROR_INVALID_VALUE, err)
	}
	c.allocated -= size
}

// Free is MemFree.
func (ptr DevicePtr) Free() { MemFree(ptr) }

// device returns the n bytes of device memory at p.
func (c *context) device(p DevicePtr, n int64) []byte {
	b, err := c.memory.Bytes(uint64(p), n)
	if err != nil {
		fail(ERROR_INVALID_VALUE, err)
	}
	return b
}

// host returns the n bytes of host memory at p.
func host(p unsafe.Pointer, n int64) []byte {
	if p == nil || n < 0 {
		fail(ERROR_INVALID_VALUE, nil)
	}
	return unsafe.Slice((*byte)(p), n)
}

// Memcpy copies bytes within the device.
func Memcpy(dst, src DevicePtr, bytes int64) { MemcpyDtoD(dst, src, bytes) }

// MemcpyAsync copies bytes within the device.
func MemcpyAsync(dst, src DevicePtr, bytes int64, stream Stream) {
	MemcpyDtoDAsync(dst, src, bytes, stream)
}

// MemcpyDtoD copies bytes within the device.
func MemcpyDtoD(dst, src DevicePtr, bytes int64) {
	c := enterWaiting()
	defer end()
	copy(c.device(dst, bytes), c.device(src, bytes))
}

// MemcpyDtoDAsync copies bytes within the device.
func MemcpyDtoDAsync(dst, src DevicePtr, bytes int64, stream Stream) {
	stream.check()
	MemcpyDtoD(dst, src, bytes)
}

// MemcpyHtoD copies bytes from the host to the device.
func MemcpyHtoD(dst DevicePtr, src unsafe.Pointer, bytes int64) {
	c := enterWaiting()
	defer end()
	copyHalves(c.device(dst, bytes), host(src, bytes))
}

// MemcpyHtoDAsync copies bytes from the host to the device.
func MemcpyHtoDAsync(dst DevicePtr, src unsafe.Pointer, bytes int64, stream Stream) {
	stream.check()
	MemcpyHtoD(dst, src, bytes)
}

// MemcpyDtoH copies bytes from the device to the host.
func MemcpyDtoH(dst unsafe.Pointer, src DevicePtr, bytes int64) {
	c := enterWaiting()
	defer end()
	copyHalves(host(dst, bytes), c.device(src, bytes))
}

// MemcpyDtoHAsync copies bytes from the device to the host.
func MemcpyDtoHAsync(dst unsafe.Pointer, src DevicePtr, bytes int64, stream Stream) {
	stream.check()
	MemcpyDtoH(dst, src, bytes)
}

// MemsetD8 sets N bytes to value.
func MemsetD8(deviceptr DevicePtr, value uint8, N int64) {
	c := enterWaiting()
	defer end()
	fill(c.device(deviceptr, N), []byte{value})
}

// MemsetD8Async sets N bytes to value.
func MemsetD8Async(deviceptr DevicePtr, value uint8, N int64, stream Stream) {
	stream.check()
	MemsetD8(deviceptr, value, N)
}

// MemsetD32 sets N 32-bit words to value.
func MemsetD32(deviceptr DevicePtr, value uint32, N int64) {
	c := enterWaiting()
	defer end()
	if deviceptr%4 != 0 {
		fail(ERROR_INVALID_VALUE, nil)
	}
	fill(c.device(deviceptr, 4*N), []byte{byte(value), byte(value >> 8), byte(value >> 16), byte(value >> 24)})
}

// MemsetD32Async sets N 32-bit words to value.
func MemsetD32Async(deviceptr DevicePtr, value uint32, N int64, stream Stream) {
	stream.check()
	MemsetD32(deviceptr, value, N)
}

// copyHalves copies between host and device, which have no byte in common.
func copyHalves(dst, src []byte) {
	parallel.Halves(len(src), func(from, to int) { copy(dst[from:to], src[from:to]) })
}

// fill repeats pattern, of 1, 2 or 4 bytes, over b: a piece that stays in a cache is
// copied over the rest.
func fill(b, pattern []byte) {
	const size = 16 << 10
	piece := b[:min(size, len(b))]
	for done := copy(piece, pattern); done < len(piece); {
		done += copy(piece[done:], piece[:done])
	}
	rest := b[len(piece):]
	parallel.Halves((len(rest)+size-1)/size, func(from, to int) {
		for i := from * size; i < min(to*size, len(rest)); i += size {
			copy(rest[i:], piece)
		}
	})
}

// MemGetAddressRange returns size and start of the allocation that holds ptr.
func MemGetAddressRange(ptr DevicePtr) (bytes int64, base DevicePtr) {
	c := enter()
	defer end()
	start, size := c.memory.Range(uint64(ptr))
	if uint64(ptr) < start || uint64(ptr) >= start+uint64(size) {
		fail(ERROR_INVALID_VALUE, nil)
	}
	return size, DevicePtr(start)
}

// GetAddressRange is MemGetAddressRange.
func (ptr DevicePtr) GetAddressRange() (bytes int64, base DevicePtr) { return MemGetAddressRange(ptr) }

// Bytes returns the size of the allocation that holds ptr.
func (ptr DevicePtr) Bytes() (bytes int64) {
	bytes, _ = MemGetAddressRange(ptr)
	return bytes
}

// MemGetInfo returns the free and the total memory of the device in bytes.
func MemGetInfo() (free, total int64) {
	c := enter()
	defer end()
	return totalMemory - c.allocated, totalMemory
}

// String prints the address in hexadecimal.
func (p DevicePtr) String() string { return fmt.Sprintf("%#x", uintptr(p)) }
