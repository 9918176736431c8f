# Help at a prompt that reads Python: in Python's words, of Python's own names and values, too.
session() { echo "--- $1"; shift; "$MOONTILE" -i -t cpu --color never "$@" 2>&1; }

session "T, tensors, kernels" <<'END'
import torch, tilelang, tilelang.language as T
help(T.reduce_sum)
T.Pipelined?
x = torch.ones(2, 3)
?x
?x.sum
@tilelang.jit
def k(A):
    N = T.const("N")
    A: T.Tensor((N,), "float32")
    with T.Kernel(1, threads=32):
        A[0] = 1

k?
?tilelang.jit
?torch.softmax
END

session "Python's own" <<'END'
def g(a, b=1, *, c=2):
    "doc of g"

help(g)
?g
class A:
    "a doc"
    def f(self, x): return x

?A
?A.f
?math.pi
?itertools
d = {1: 2}
d?
?len
help("T.clear")
?nothing
END

session "Chinese" --lang zh <<'END'
import torch, tilelang.language as T
?T.reduce_sum
x = torch.ones(2, 3)
?x
?len
END

session "Lua's prompt is as before" <<'END'
?T.reduce_sum
x = tl.ones {2, 3}
?x
END
