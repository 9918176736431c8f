# compile of files that make prim_funcs and compile none: the one that there is; --emit and a target's name.
cd "$TMP" || exit
run() { echo "\$ moontile $*"; "$MOONTILE" "$@"; echo "[$?]"; }
cat >one.py <<'END'
import tilelang.language as T

@T.prim_func
def main(A: T.Tensor((64,), T.float32)):
    with T.Kernel(1, threads=32):
        T.fill(A, 1)
END
run compile one.py --emit ir
run --lang zh compile one.py --emit ir -o out
run check one.py
cat >one.lua <<'END'
local p = T.prim_func(function(A)
  A: T.Tensor({64}, T.float32)
  for bx in T.Kernel(1) do T.fill(A, 1) end
end)
END
run compile one.lua --emit ir -o out
cp one.py two.py
sed '1d; s/main/other/' one.py >>two.py
run compile two.py --emit ir
(cat one.py; echo 'import tilelang; tilelang.compile(main)') >used.py
run compile used.py --emit ir -o out
for word in cpu cuda hip sim ptx; do
    run compile one.py --emit $word -o out
done
run --lang zh compile one.py --emit cpu
cat >"$TMP/func.py" <<'END'
import tilelang
import tilelang.language as T

@tilelang.jit(out_idx=[-1])
def twice(N):
    @T.prim_func
    def main(A: T.Tensor((N,), T.float32), B: T.Tensor((N,), T.float32)):
        with T.Kernel(T.ceildiv(N, 128), threads=128) as bx:
            for i in T.Parallel(128):
                B[bx * 128 + i] = A[bx * 128 + i] * 2
    return main

f = twice.func(256)
END
echo "f.func alone, and what compiles it: one kernel each"
"$MOONTILE" compile --emit ir "$TMP/func.py" 2>/dev/null | grep -c "^kernel"
echo "k = tilelang.compile(f, out_idx=[-1])" >>"$TMP/func.py"
"$MOONTILE" compile --emit ir "$TMP/func.py" 2>/dev/null | grep -c "^kernel"
