package cu

// Device is the number of a device. The emulator has one, number 0.
type Device int

// DeviceAttribute names a property of a device.
type DeviceAttribute int

// The attributes, with the numbers of CUdevice_attribute.
const (
	MAX_THREADS_PER_BLOCK            DeviceAttribute = 1
	MAX_BLOCK_DIM_X                  DeviceAttribute = 2
	MAX_BLOCK_DIM_Y                  DeviceAttribute = 3
	MAX_BLOCK_DIM_Z                  DeviceAttribute = 4
	MAX_GRID_DIM_X                   DeviceAttribute = 5
	MAX_GRID_DIM_Y                   DeviceAttribute = 6
	MAX_GRID_DIM_Z                   DeviceAttribute = 7
	MAX_SHARED_MEMORY_PER_BLOCK      DeviceAttribute = 8
	TOTAL_CONSTANT_MEMORY            DeviceAttribute = 9
	WARP_SIZE                        DeviceAttribute = 10
	MAX_PITCH                        DeviceAttribute = 11
	MAX_REGISTERS_PER_BLOCK          DeviceAttribute = 12
	CLOCK_RATE                       DeviceAttribute = 13
	TEXTURE_ALIGNMENT                DeviceAttribute = 14
	MULTIPROCESSOR_COUNT             DeviceAttribute = 16
	KERNEL_EXEC_TIMEOUT              DeviceAttribute = 17
	INTEGRATED                       DeviceAttribute = 18
	CAN_MAP_HOST_MEMORY              DeviceAttribute = 19
	COMPUTE_MODE                     DeviceAttribute = 20
	MAXIMUM_TEXTURE1D_WIDTH          DeviceAttribute = 21
	MAXIMUM_TEXTURE2D_WIDTH          DeviceAttribute = 22
	MAXIMUM_TEXTURE2D_HEIGHT         DeviceAttribute = 23
	MAXIMUM_TEXTURE3D_WIDTH          DeviceAttribute = 24
	MAXIMUM_TEXTURE3D_HEIGHT         DeviceAttribute = 25
	MAXIMUM_TEXTURE3D_DEPTH          DeviceAttribute = 26
	MAXIMUM_TEXTURE2D_LAYERED_WIDTH  DeviceAttribute = 27
	MAXIMUM_TEXTURE2D_LAYERED_HEIGHT DeviceAttribute = 28
	MAXIMUM_TEXTURE2D_LAYERED_LAYERS DeviceAttribute = 29
	SURFACE_ALIGNMENT                DeviceAttribute = 30
	CONCURRENT_KERNELS               DeviceAttribute = 31
	ECC_ENABLED                      DeviceAttribute = 32
	PCI_BUS_ID                       DeviceAttribute = 33
	PCI_DEVICE_ID                    DeviceAttribute = 34
	TCC_DRIVER                       DeviceAttribute = 35
	MEMORY_CLOCK_RATE                DeviceAttribute = 36
	GLOBAL_MEMORY_BUS_WIDTH          DeviceAttribute = 37
	L2_CACHE_SIZE                    DeviceAttribute = 38
	MAX_THREADS_PER_MULTIPROCESSOR   DeviceAttribute = 39
	ASYNC_ENGINE_COUNT               DeviceAttribute = 40
	UNIFIED_ADDRESSING               DeviceAttribute = 41
	MAXIMUM_TEXTURE1D_LAYERED_WIDTH  DeviceAttribute = 42
	MAXIMUM_TEXTURE1D_LAYERED_LAYERS DeviceAttribute = 43
	COMPUTE_CAPABILITY_MAJOR         DeviceAttribute = 75
	COMPUTE_CAPABILITY_MINOR         DeviceAttribute = 76
)

// attributes holds the limits that the emulator keeps to, those of compute
// capability 9.0 (CUDA C++ Programming Guide, "Compute Capabilities"). What it
// has not, such as clocks and caches, is 0.
var attributes = map[DeviceAttribute]int{
	MAX_THREADS_PER_BLOCK:       1024,
	MAX_BLOCK_DIM_X:             1024,
	MAX_BLOCK_DIM_Y:             1024,
	MAX_BLOCK_DIM_Z:             64,
	MAX_GRID_DIM_X:              1<<31 - 1,
	MAX_GRID_DIM_Y:              65535,
	MAX_GRID_DIM_Z:              65535,
	MAX_SHARED_MEMORY_PER_BLOCK: 48 << 10,
	TOTAL_CONSTANT_MEMORY:       64 << 10,
	WARP_SIZE:                   32,
	COMPUTE_CAPABILITY_MAJOR:    9,
	COMPUTE_CAPABILITY_MINOR:    0,
}

// checkDevice panics unless dev is the emulator's device.
func checkDevice(dev Device) {
	if dev != 0 {
		fail(ERROR_INVALID_DEVICE, nil)
	}
}

// DeviceGet returns the device of that number.
func DeviceGet(ordinal int) Device {
	begin()
	defer end()
	checkDevice(Device(ordinal))
	return Device(ordinal)
}

// DeviceGetCount returns the number of devices, 1.
func DeviceGetCount() int {
	begin()
	defer end()
	return 1
}

// DeviceGetName returns the name of a device.
func DeviceGetName(dev Device) string {
	begin()
	defer end()
	checkDevice(dev)
	return "PTX emulator"
}

// Name is DeviceGetName.
func (dev Device) Name() string { return DeviceGetName(dev) }

// DeviceGetAttribute returns a property of a device.
func DeviceGetAttribute(attrib DeviceAttribute, dev Device) int {
	begin()
	defer end()
	checkDevice(dev)
	return attributes[attrib]
}

// Attribute is DeviceGetAttribute.
func (dev Device) Attribute(attrib DeviceAttribute) int { return DeviceGetAttribute(attrib, dev) }

// DeviceComputeCapability returns 9.0, the capability of the card that the
// rules for counting were measured on.
func DeviceComputeCapability(device Device) (major, minor int) {
	return device.Attribute(COMPUTE_CAPABILITY_MAJOR), device.Attribute(COMPUTE_CAPABILITY_MINOR)
}

// ComputeCapability is DeviceComputeCapability.
func (device Device) ComputeCapability() (major, minor int) { return DeviceComputeCapability(device) }

// DeviceTotalMem returns the size of the device's memory in bytes.
func DeviceTotalMem(device Device) int64 {
	begin()
	defer end()
	checkDevice(device)
	return totalMemory
}

// TotalMem is DeviceTotalMem.
func (device Device) TotalMem() int64 { return DeviceTotalMem(device) }

// DevProp holds some properties of a device.
type DevProp struct {
	MaxThreadsPerBlock  int
	MaxThreadsDim       [3]int
	MaxGridSize         [3]int
	SharedMemPerBlock   int
	TotalConstantMemory int
	SIMDWidth           int
	MemPitch            int
	RegsPerBlock        int
	ClockRate           int
	TextureAlign        int
}

// DeviceGetProperties returns the properties of a device.
func DeviceGetProperties(dev Device) (prop DevProp) {
	get := dev.Attribute
	return DevProp{
		MaxThreadsPerBlock:  get(MAX_THREADS_PER_BLOCK),
		MaxThreadsDim:       [3]int{get(MAX_BLOCK_DIM_X), get(MAX_BLOCK_DIM_Y), get(MAX_BLOCK_DIM_Z)},
		MaxGridSize:         [3]int{get(MAX_GRID_DIM_X), get(MAX_GRID_DIM_Y), get(MAX_GRID_DIM_Z)},
		SharedMemPerBlock:   get(MAX_SHARED_MEMORY_PER_BLOCK),
		TotalConstantMemory: get(TOTAL_CONSTANT_MEMORY),
		SIMDWidth:           get(WARP_SIZE),
		MemPitch:            get(MAX_PITCH),
		RegsPerBlock:        get(MAX_REGISTERS_PER_BLOCK),
		ClockRate:           get(CLOCK_RATE),
		TextureAlign:        get(TEXTURE_ALIGNMENT),
	}
}

// Properties is DeviceGetProperties.
func (dev Device) Properties() DevProp { return DeviceGetProperties(dev) }
