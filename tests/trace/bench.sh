#!/bin/sh
# moontile bench FILE: which kernels, on which inputs; times are left out.
cat > "$TMP/k.lua" <<'LUA'
local double = tl.jit(function(A)
  local N = T.const "N"
  A: T.Tensor({N}, T.float32)
  local B = T.empty({N}, T.float32)
  for bx in T.Kernel(T.ceildiv(N, 64)) do
    for i in T.Parallel(64) do
      B[bx * 64 + i] = A[bx * 64 + i] * 2
    end
  end
  return B
end)
print(tostring(double(tl.arange(1000, "float32"))[1]))
double(tl.arange(1000, "float32"))
double:compile{N = 5000}
LUA
echo 'local x = 1' > "$TMP/none.lua"
echo 'error "no"' > "$TMP/wrong.lua"
cd "$TMP" || exit 1

bench() {
  echo "\$ moontile bench $*"
  "$MOONTILE" bench "$@" 2>err | sed 's/ on .*/ on .../; s/[0-9][0-9.]* [munGMkT]*[sFB][A-Z/a-z]*/N/g
    s/N \.\. N; [0-9]* runs/N .. N; N runs/; s/: [0-9.e-]*\([,}]\)/: N\1/g
    s/运行于 .*/运行于 .../; s/"device": "[^"]*"/"device": "..."/; s/ [0-9]* \(次，\)/ N \1/
    s/N  */N /g; s/；[0-9]* 次/；N 次/'
  sed 's/^/stderr: /; s/(.*)$//' err
}
bench -t cpu k.lua
bench -t cpu --json k.lua
bench -t cpu --lang zh k.lua
for f in none.lua wrong.lua nofile.lua; do
  "$MOONTILE" bench "$f"
  echo "[$?]"
done 2>&1
