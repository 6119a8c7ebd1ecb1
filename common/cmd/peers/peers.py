"""Times what others make of a transpose beside the series' last kernel.

    peers.py transpose.ptx KERNEL TILE BLOCKX BLOCKY [n ...]

Every row moves an n x n float32 matrix between the same two buffers, is checked, and is
then timed as the series does it: 20 launches, each between two events, all queued before
the first is waited for. The rows take turns, five times; a row's time is the median.
"""
import ctypes
import datetime
import glob
import os
import statistics
import sys

import torch

try:
    import triton
    import triton.language as tl
except ImportError:
    triton = None

LAUNCHES, ROUNDS = 20, 5
driver = ctypes.CDLL("libcuda.so.1")


def must(result):
    if result:
        raise RuntimeError(f"the driver answered {result}")


def series_kernel(path, name):
    """Loads a kernel of a PTX file into PyTorch's context."""
    module, function = ctypes.c_void_p(), ctypes.c_void_p()
    with open(path, "rb") as file:
        must(driver.cuModuleLoadData(ctypes.byref(module), file.read() + b"\0"))
    must(driver.cuModuleGetFunction(ctypes.byref(function), module, name.encode()))
    return function


def launch_series(function, tile, block, out, inp, n):
    values = (ctypes.c_uint64(out.data_ptr()), ctypes.c_uint64(inp.data_ptr()), ctypes.c_int(n))
    args = (ctypes.c_void_p * 3)(*[ctypes.addressof(v) for v in values])
    grid = -(-n // tile)

    def go():
        stream = ctypes.c_void_p(torch.cuda.current_stream().cuda_stream)
        must(driver.cuLaunchKernel(function, grid, grid, 1, block[0], block[1], 1, 0, stream, args, None))

    go.keep = values  # args points into them
    return go


def find_cublas():
    """The cuBLAS that came with PyTorch, or the system's; None if there is neither."""
    packages = os.path.join(os.path.dirname(torch.__file__), "..", "nvidia", "**", "libcublas.so*")
    for path in sorted(glob.glob(packages, recursive=True)) + ["libcublas.so.13", "libcublas.so.12", "libcublas.so"]:
        try:
            return ctypes.CDLL(path)
        except OSError:
            pass
    return None


def sgeam(blas, handle, out, inp, n):
    one, zero = ctypes.c_float(1), ctypes.c_float(0)
    o, i = ctypes.c_void_p(out.data_ptr()), ctypes.c_void_p(inp.data_ptr())
    transposed, plain = 1, 0

    def go():
        must(blas.cublasSgeam(handle, transposed, plain, n, n, ctypes.byref(one), i, n, ctypes.byref(zero), o, n, o, n))

    return go


if triton:

    @triton.jit
    def turn(out, inp, n, BX: tl.constexpr, BY: tl.constexpr, DOWN: tl.constexpr):
        # DOWN: programs with consecutive numbers take tiles below each other.
        x = tl.program_id(DOWN) * BX + tl.arange(0, BX)
        y = tl.program_id(1 - DOWN) * BY + tl.arange(0, BY)
        inside = (y[:, None] < n) & (x[None, :] < n)
        t = tl.load(inp + y[:, None] * n + x[None, :], mask=inside)
        tl.store(out + x[:, None] * n + y[None, :], tl.trans(t), mask=tl.trans(inside))

    TILES = [(64, 64, 16), (64, 64, 8), (64, 64, 4), (32, 64, 8), (64, 32, 8), (128, 64, 16), (64, 128, 16), (32, 32, 4)]


def triton_rows(out, inp, n):
    for bx, by, warps in TILES:
        for down in (0, 1):
            grid = [0, 0]
            grid[down], grid[1 - down] = triton.cdiv(n, bx), triton.cdiv(n, by)

            def go(bx=bx, by=by, warps=warps, down=down, grid=tuple(grid)):
                turn[grid](out, inp, n, bx, by, down, num_warps=warps)

            yield f"Triton {bx}x{by}, {warps} warps, " + ("down" if down else "across"), go


def compiled(f, *args):
    """A function that torch.compile made, as a CUDA graph, so that the host stays out."""
    f = torch.compile(f, mode="max-autotune-no-cudagraphs", dynamic=False)
    for _ in range(3):
        f(*args)
    graph = torch.cuda.CUDAGraph()
    torch.cuda.synchronize()
    with torch.cuda.graph(graph):
        result = f(*args)
    return graph.replay, result


def timed(go):
    start = [torch.cuda.Event(enable_timing=True) for _ in range(LAUNCHES)]
    stop = [torch.cuda.Event(enable_timing=True) for _ in range(LAUNCHES)]
    go()
    torch.cuda._sleep(6_000_000)  # cycles: until all is queued
    for a, b in zip(start, stop):
        a.record()
        go()
        b.record()
    torch.cuda.synchronize()
    return statistics.median(a.elapsed_time(b) for a, b in zip(start, stop))


def rows_of(n, out, inp, function, kernel, tile, block, blas, handle):
    """Yields name, launch, what the result must be ("copy" or "transpose") and where it lies."""
    yield "driver memcpy", lambda: out.copy_(inp), "copy", out
    yield kernel, launch_series(function, tile, block, out, inp, n), "transpose", out
    if blas:
        yield "cublasSgeam", sgeam(blas, handle, out, inp, n), "transpose", out
    yield "PyTorch copy_(x.t())", lambda: out.copy_(inp.t()), "transpose", out
    for name, f in (("torch.compile copy_(x.t())", lambda a, o: o.copy_(a.t())), ("torch.compile x.t().contiguous()", None)):
        try:
            if f:
                go, result = compiled(f, inp, out)
                result = out
            else:
                go, result = compiled(lambda a: a.t().contiguous(), inp)
            yield name, go, "transpose", result
        except Exception as err:  # a version that cannot compile this, say
            print(f"note: {name}: {str(err).strip().splitlines()[0][:100]}")
    if triton:
        for name, go in triton_rows(out, inp, n):
            yield name, go, "transpose", out


def right(go, want, out, inp):
    out.fill_(float("nan"))
    go()
    torch.cuda.synchronize()
    bits = inp.view(torch.int32)
    return torch.equal(out.view(torch.int32), bits if want == "copy" else bits.t())


def measure(n, function, kernel, tile, block, blas, handle):
    # Each element's bits are its index.
    inp = torch.arange(n * n, dtype=torch.int32, device="cuda").view(torch.float32).view(n, n)
    out = torch.empty_like(inp)
    rows, times = [], {}
    for name, go, want, result in rows_of(n, out, inp, function, kernel, tile, block, blas, handle):
        if not right(go, want, result, inp):
            print(f"note: n = {n}: {name} is WRONG, so not timed")
            continue
        rows.append((name, go))
        times[name] = []
    for _ in range(ROUNDS):
        for name, go in rows:
            times[name].append(timed(go))
    best = min((name for name in times if name.startswith("Triton")), key=lambda k: statistics.median(times[k]), default=None)
    report(n, {name: t for name, t in times.items() if not name.startswith("Triton") or name == best})


def report(n, times):
    memcpy = statistics.median(times["driver memcpy"])
    print(f"\n{f'n = {n}':<34}     median        min … max      GB/s  of memcpy")
    for name, t in times.items():
        ms = statistics.median(t)
        print(f"{name:<34}  {ms:6.4f} ms  {min(t):6.4f} … {max(t):6.4f}  {8 * n * n / ms / 1e6:8.1f}  {memcpy / ms:9.3f}")
    sys.stdout.flush()


def version(library):
    v = ctypes.c_int()
    must(library.cublasGetVersion_v2(handle_of(library), ctypes.byref(v)))
    return v.value


def handle_of(library, made={}):
    if library not in made:
        handle = ctypes.c_void_p()
        must(library.cublasCreate_v2(ctypes.byref(handle)))
        made[library] = handle
    return made[library]


def main():
    path, kernel, tile, bx, by, *sizes = sys.argv[1:]
    torch.zeros(1, device="cuda")  # makes the context
    cuda = ctypes.c_int()
    must(driver.cuDriverGetVersion(ctypes.byref(cuda)))
    blas = find_cublas()
    print(f"card: {torch.cuda.get_device_name()}")
    print(f"date: {datetime.date.today()}")
    print(f"driver: CUDA {cuda.value // 1000}.{cuda.value % 1000 // 10}")
    print(f"PyTorch: {torch.__version__}, for CUDA {torch.version.cuda}")
    print(f"Triton: {triton.__version__ if triton else 'not here'}")
    print(f"cuBLAS: {version(blas) if blas else 'not here'}")
    handle = handle_of(blas) if blas else None
    if blas:
        must(blas.cublasSetStream_v2(handle, ctypes.c_void_p(torch.cuda.current_stream().cuda_stream)))
    function = series_kernel(path, kernel)
    for n in map(int, sizes or ["4096", "8192", "16384"]):
        measure(n, function, kernel, int(tile), (int(bx), int(by)), blas, handle)
        torch.cuda.empty_cache()


main()
