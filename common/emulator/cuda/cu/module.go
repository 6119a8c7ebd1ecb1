package cu

import (
	"os"

	"transpose/common/ptx"
)

// Module is a handle of loaded PTX.
type Module uintptr

// Function is a handle of a kernel.
type Function uintptr

// ModuleLoad loads the PTX in a file.
func ModuleLoad(fname string) Module {
	text, err := os.ReadFile(fname)
	if err != nil {
		driver.mu.Lock()
		defer driver.mu.Unlock()
		fail(ERROR_FILE_NOT_FOUND, err)
	}
	return ModuleLoadData(string(text))
}

// ModuleLoadData loads PTX.
func ModuleLoadData(image string) Module {
	c := enterWaiting()
	defer end()
	m, err := ptx.Parse(image)
	if err != nil {
		fail(errorInvalidPTX, err)
	}
	c.modules = append(c.modules, m)
	return Module(len(c.modules))
}

// NoKernel is what LastError returns where ModuleGetFunction found no kernel of that
// name. The real package has no such type.
type NoKernel struct{ Name string }

// Error names the kernel.
func (e *NoKernel) Error() string { return "no kernel named " + e.Name }

// ModuleGetFunction returns the kernel of that name.
func ModuleGetFunction(module Module, name string) Function {
	c := enter()
	defer end()
	if module == 0 || int(module) > len(c.modules) {
		fail(ERROR_INVALID_HANDLE, nil)
	}
	entry := c.modules[module-1].Entry(name)
	if entry == nil {
		fail(ERROR_NOT_FOUND, &NoKernel{name})
	}
	c.functions = append(c.functions, entry)
	return Function(len(c.functions))
}

// GetFunction is ModuleGetFunction.
func (m Module) GetFunction(name string) Function { return ModuleGetFunction(m, name) }

// entry returns the kernel behind a handle.
func (c *context) entry(f Function) *ptx.Entry {
	if f == 0 || int(f) > len(c.functions) {
		fail(ERROR_INVALID_HANDLE, nil)
	}
	return c.functions[f-1]
}

// FunctionAttribute names a property of a kernel.
type FunctionAttribute int

// The attributes, with the numbers of CUfunction_attribute.
const (
	FUNC_A_MAX_THREADS_PER_BLOCK FunctionAttribute = 0
	FUNC_A_SHARED_SIZE_BYTES     FunctionAttribute = 1
	FUNC_A_CONST_SIZE_BYTES      FunctionAttribute = 2
	FUNC_A_LOCAL_SIZE_BYTES      FunctionAttribute = 3
	FUNC_A_NUM_REGS              FunctionAttribute = 4
	FUNC_A_PTX_VERSION           FunctionAttribute = 5
	FUNC_A_BINARY_VERSION        FunctionAttribute = 6
)

// FuncGetAttribute returns a property of a kernel. What only machine code has,
// such as a number of registers, is 0.
func FuncGetAttribute(attrib FunctionAttribute, function Function) int {
	c := enter()
	defer end()
	switch entry := c.entry(function); attrib {
	case FUNC_A_MAX_THREADS_PER_BLOCK:
		return attributes[MAX_THREADS_PER_BLOCK]
	case FUNC_A_SHARED_SIZE_BYTES:
		return entry.SharedBytes
	}
	return 0
}

// GetAttribute is FuncGetAttribute.
func (f Function) GetAttribute(attrib FunctionAttribute) int { return FuncGetAttribute(attrib, f) }
