# Keys of pass_configs that do nothing here are named, each once.
cat >"$TMP/c.py" <<'EOF'
import tilelang, tilelang.language as T


@T.prim_func
def main(A: T.Tensor((4,), "float32")):
    with T.Kernel(1, threads=32):
        for i in T.Parallel(4):
            A[i] = 1


for _ in range(2):
    tilelang.compile(main, pass_configs={"tl.nosuch": True, tilelang.PassConfigKey.TL_ENABLE_FAST_MATH: True})
EOF
cd "$TMP" && "$MOONTILE" --lang en c.py && "$MOONTILE" --lang zh c.py
