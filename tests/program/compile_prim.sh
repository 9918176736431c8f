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
