# A misspelled name in a kernel that was typed is an error; in plain Lua it is nil.
cat >"$TMP/in.txt" <<'X'
nosuch
nosuch == nil
local block_M, scale <const> = 64, 2
local k = tl.jit(function(A)
  A: T.Tensor({64}, T.float32)
  for bx in T.Kernel(1, {threads = 128}) do
    for i in T.Parallel(blok_M) do A[i] = scale end
  end
end)
local a = tl.zeros({64})
k(a)
blok_M = 64
k(a)
a[5]
local function helper(A) T.fill(A, scal) end
local h = tl.jit(function(A)
  A: T.Tensor({64}, T.float32)
  for bx in T.Kernel(1) do helper(A) end
end)
h(a)
nosuch
:lang zh
h(a)
X
"$MOONTILE" --lang en -i 2>&1 <"$TMP/in.txt"
