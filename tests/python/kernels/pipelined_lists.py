# T.Pipelined's order and stage count statements as TileLang does (its tests of PipelinePlanning):
# names for what the loop does not write take no place, those for what it writes do.
import tilelang
import tilelang.language as T
import torch

for arch in ("sm_75", "sm_80", "sm_90a", "gfx942"):
    target = f"sim -arch={arch}"

    @tilelang.jit(target=target)
    def bind_free(A):
        A: T.Tensor((64,), T.float32)
        C = T.empty((64,), T.float32)
        with T.Kernel(1, threads=16):
            A_shared = T.alloc_shared((16,), T.float32)
            for i in T.Pipelined(4, order=[1, 0], stage=[0, 1]):
                base: T.int32 = i * 16
                T.copy(A[base], A_shared)
                T.copy(A_shared, C[base])
        return C

    @tilelang.jit(target=target)
    def reads_written(A):
        A: T.Tensor((64,), T.float32)
        C = T.empty((64,), T.float32)
        with T.Kernel(1, threads=16):
            A_shared = T.alloc_shared((16,), T.float32)
            T.clear(C)
            for i in T.Pipelined(4, order=[0, 1, 2], stage=[0, 1, 1]):
                base: T.int32 = i * 16
                T.copy(A[base], A_shared)
                value: T.float32 = A_shared[0]
                C[base] = value
        return C

    @tilelang.jit(target=target)
    def atomics():
        out = T.empty((8,), T.int32)
        with T.Kernel(1, threads=16):
            counter = T.alloc_shared((1,), T.int32)
            T.clear(counter)
            for i in T.Pipelined(4, order=[0, 1, 2, 3], stage=[0, 0, 1, 1]):
                snapshot: T.int32 = counter[0]
                pos: T.int32 = T.atomic_add(counter[0], 1, return_prev=True)
                out[i * 2] = snapshot
                out[i * 2 + 1] = pos
        return out

    a = torch.arange(64, dtype=torch.float32)
    print(arch, torch.equal(bind_free(a), a), reads_written(a)[::16].tolist())
    print(atomics().tolist())
