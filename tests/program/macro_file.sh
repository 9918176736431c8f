# An assert in a macro of another file is shown with that file and its line, also where the
# kernel's own file has an assert in the line of the same number.
cd "$TMP" || exit
cat >helper.lua <<'E'
local M = {}
M.check = T.macro(function(s, i)

  T.device_assert(s[i] == 99, "of the helper")
end)
return M
E
cat >main.lua <<'E'
local H = dofile "helper.lua"
k = tl.jit(function(A, own)
  A: T.Tensor({64}, T.float32)
  for bx in T.Kernel(1, {threads = 64}) do T.device_assert(A[63] == (own and 0 or 63), "of the kernel")
    H.check(A, 3)
  end
end)
print(pcall(k, tl.arange(64, "float32"), false))
print(pcall(k, tl.arange(64, "float32"), true))
E
for t in cpu sim; do "$MOONTILE" -t $t main.lua; done
