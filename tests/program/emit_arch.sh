# The chip of -t and the text of --emit: its own, the target's usual one, or refused; in silence never.
cd "$TMP" || exit
cat >copy.lua <<'END'
local f = tl.jit(function(A)
  local N = T.const "N"
  A: T.Tensor({N}, T.float32)
  local B = T.empty({N}, T.float32)
  for bx in T.Kernel(T.ceildiv(N, 64)) do
    T.copy(A[bx * 64], B[bx * 64])
  end
  return B
end)
f(tl.zeros({64}, "float32"))
END
for t in auto cpu "sim -arch=sm_80" "sim -arch=gfx90a" "hip -arch=gfx90a" "cuda -arch=sm_75" "sim -arch=sm_123" "cuda -arch=gfx9"; do
    for kind in cuda hip c; do
        echo "-- -t '$t' --emit $kind"
        "$MOONTILE" --lang en compile copy.lua -t "$t" --emit $kind -o out >/dev/null 2>err || tail -n +1 err | grep -v '^ *[0-9]* |'
        head -qn 1 out/*.* 2>/dev/null | head -n 1
        rm -rf out
    done
done
