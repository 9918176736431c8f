# What messages advise those who write Python is Python, in both languages.
say() {
    printf '%s\n' 'import tilelang, torch, tilelang.language as T' "$2" >said.py
    echo "--- $1"
    "$MOONTILE" --lang en said.py 2>&1 | sed -n '/error\|warning\|note: \|help: /p'
    "$MOONTILE" --lang zh said.py 2>&1 | sed -n '/建议/p'
}
kernel() {
    say "$1" "@tilelang.jit
def k(A, I):
    A: T.Tensor((8,), T.float32)
    I: T.Tensor((8,), T.int32)
    B = T.empty((8,), T.float32)
    with T.Kernel(1, threads=32) as bx:
        T.clear(B)
        $2
    return B
k(torch.zeros(8), torch.zeros(8, dtype=torch.int32))"
}
cd "$TMP" || exit 1
kernel "in a tuple" "B[0] = 1.0 if I[0] in (1, 2) else 2.0"
kernel "any" "B[0] = 1.0 if any(A[j] > 6 for j in range(8)) else 2.0"
kernel "len of a buffer" "B[0] = len(A)"
kernel "an argument left out" "x = T.alloc_shared((4, 4))"
kernel "a value of the wrong kind" "x = T.alloc_shared(None, T.float32)"
kernel "a list of the wrong length" "T.copy(A, B, coalesced_width=(1, 2))"
kernel "a loop called" "T.serial(4)"
kernel "a loop without end" "for i in range(10**9): B[0] = i"
kernel "a kernel in a kernel" "with T.Kernel(2): B[0] = 1"
kernel "an index of a tile" "s = T.alloc_shared((8, 8), T.float16); c = T.alloc_fragment((8, 8), T.float32); T.gemm(s, s, c)"
kernel "a sum of nothing" "s = T.alloc_shared((16, 16), T.float16); c = T.alloc_fragment((16, 16), T.float32); T.clear(s); T.gemm(s, s, c); B[0] = c[0, 0]"
kernel "a pipeline" "for i in T.Pipelined(8, 3): B[i] = A[i]"
kernel "a bit of a float" "f = T.alloc_fragment((8,), T.float32); g = T.alloc_fragment((1,), T.float32); T.copy(A, f); T.reduce_bitand(f, g)"
say "threads of four numbers" "@T.prim_func
def main(A: T.Tensor((8,), T.float32)):
    with T.Kernel(1, threads=(1, 2, 3, 4)): A[0] = 1
tilelang.compile(main)"
say "T.const in a prim_func" "@T.prim_func
def main(A: T.Tensor((8,), T.float32)):
    N = T.const('N')
    with T.Kernel(1): A[0] = N
tilelang.compile(main)"
say "no prim_func" "tilelang.compile(lambda a: a)"
say "dimensions" "@tilelang.jit
def k(A):
    A: T.Tensor((8, 8), T.float32)
    with T.Kernel(1, threads=32): A[0, 0] = 1
k(torch.zeros(64))"
say "a dtype" "torch.ones(2, dtype=torch.int32).requires_grad_()"
say "close" "torch.testing.assert_close(torch.ones(2), torch.ones(2).half())"
say "a shape" "torch.zeros('a')"
say "rows" "torch.tensor([[1], [1, 2]])"
kernel "yield in a kernel" "yield A"
kernel "a tensor of the host at the kernel's index" "B[bx] = torch.ones(8)[bx]"
kernel "a tensor of the host at an element" "B[bx] = torch.ones(8)[I[bx]]"
say "a package of others" "import scipy"
for name in urllib urllib.request socket requests; do
    say "a package of the net" "import $name"
done
say "a module of one" "from urllib.parse import quote"
say "a module, misspelt" "import numppy"
