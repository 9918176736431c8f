# What a function of tilelang.jit says of itself: TileLang's names, and the default of getattr() for all others.
import inspect
import tilelang
import tilelang.language as T


@tilelang.jit(out_idx=[-1], verbose=False)
def copied(M, N, block: int = 32, *, dtype="float32"):
    @T.prim_func
    def main(A: T.Tensor((M, N), dtype), B: T.Tensor((M, N), dtype)):
        with T.Kernel(T.ceildiv(M, block), threads=32) as b:
            for i, j in T.Parallel(block, N):
                B[b * block + i, j] = A[b * block + i, j]
    return main


@tilelang.jit
def plain(A, n: int = 4):
    M = T.const("M")
    A: T.Tensor[[M], T.float32]
    with T.Kernel(1, threads=32) as b:
        A[0] = n


print(copied.signature, plain.signature, type(copied.signature).__name__)
print(list(copied.signature.parameters), copied.signature.bind(64, N=32).args)
print(copied.signature.parameters["block"].default, inspect.signature(copied))
print(copied.out_idx, copied.verbose, copied.target, plain.out_idx, copied.pass_configs)
print(copied.mode, copied.is_lazy_mode())
copied.compile(64, 32)
print(copied.mode, copied.is_lazy_mode(), plain.mode)
for name in ("nothing", "name", "params", "kinds", "opts", "given", "peek", "explain", "__name__", "__wrapped__"):
    print(name, getattr(copied, name, "default"), hasattr(copied, name))
for name in ("nothing", "params", "explain"):
    try:
        getattr(copied, name)
    except AttributeError as e:
        print("AttributeError:", e)
try:
    copied.func_source
except NotImplementedError as e:
    print("NotImplementedError:", e)
