# What works with every target works with these: check, bench, texts, :src.
. lib/standin.sh
use std
cat >"$TMP/add.lua" <<'END'
add = tl.jit(function(x, y)
  local N = T.const "N"
  x: T.Tensor({N}, T.float32)
  y: T.Tensor({N}, T.float32)
  local z = T.empty({N}, T.float32)
  for bx in T.Kernel(T.ceildiv(N, 256), {threads = 128}) do
    for i in T.Parallel(256) do
      z[bx * 256 + i] = x[bx * 256 + i] + y[bx * 256 + i]
    end
  end
  return z
end)
local x, y = tl.randn({1000}, "float32"), tl.randn({1000}, "float32")
local k = add:resolve(x, y)
print("right", tl.allclose(k(x, y), tl.ref.add(x, y)))
print("check", k:check({sizes = {{N = 100}, {N = 256}}}).ok)
print("bench", k:bench {inputs = {x, y}, n_warmup = 1, n_repeat = 3}.ms ~= nil)
k:show_source()
END
for target in maca hip; do
    echo "== $target"
    "$MOONTILE" --lang en -t $target "$TMP/add.lua" >"$TMP/out" 2>&1
    sed '/^$/,/^}/d' "$TMP/out"
    echo "kernels in the source: $(grep -c __global__.void "$TMP/out")"
    (cd "$TMP" && printf ':load add.lua\n:src add 9\n' |
        "$MOONTILE" -E --lang en -t $target -i >"$TMP/out" 2>&1)
    echo ":src: $(grep -c 'z_v\[v\] = x_v\[v\] + y_v\[v\]' "$TMP/out")"
done
