# Targets by TVM's words: what a machine is, which options say nothing; a target around a block.
cd "$TMP" || exit 1
cat >t.py <<'END'
import sys
import tilelang
import tilelang.language as T
from tilelang import tvm

hopper = {"kind": "cuda", "arch": "sm_90a"}


@T.prim_func
def main(A: T.Tensor((64,), T.float32)):
    with T.Kernel(1, threads=32):
        T.fill(A, 1)


def made(target):
    return str(tilelang.compile(main, target=target)).split("target ")[1].split(",")[0].split(" (")[0]


for t in (tvm.target.Target(hopper), tvm.target.Target("cuda -arch=sm_80", host="llvm"), tvm.target.Target({"kind": "hip", "mcpu": "gfx942"}),
          tvm.target.Target(tvm.target.Target(hopper))):
    print(t, "|", t.kind, "|", made(t))
print(made(hopper), "|", made({"kind": "cuda", "arch": "sm_80", "keys": ["gpu"]}), "|", made("sim -arch=sm_90a"), "|", made(None))
print(made({"kind": "cuda"}), "|", made(tvm.target.Target("llvm")), "|", made({"kind": "c", "mcpu": "native"}))
with tvm.target.Target("sim -arch=sm_80"):
    print(made(None), "|", made("auto"), "|", made(hopper))
    with tvm.target.Target("sim -arch=sm_90a"):
        print(made(None))
    with tvm.target.Target("cuda"):
        print(made("auto"))
print(made(None))
for t in (3, {"arch": "sm_90a"}, None):
    try:
        tvm.target.Target(t)
    except (TypeError, ValueError) as e:
        print(type(e).__name__, e)
END
"$MOONTILE" --lang en -t cpu t.py 2>&1
