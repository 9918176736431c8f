# Of kernels that the cpu target executes thread by thread it says what costs nothing to see: shuffles from
# lanes that are off or among more lanes than a warp has, divisors of 0; and nothing of right ones.
cat >"$TMP/checks.lua" <<'LUA'
tl.set_target "cpu"

local function try(what, body)
  local k = load(([[
    return tl.jit(function(X)
      X: T.Tensor({64}, T.int32)
      local C = T.empty({64}, T.int32)
      for _ in T.Kernel(1, {threads = 64}) do
        local tx = T.get_thread_binding()
        local v = T.alloc_var("int32", 0)
        v = X[tx]
        %s
        C[tx] = v
      end
      return C
    end)]]):format(body), "=kernel")()
  local ok, r = pcall(k, tl.arange(64, "int32"))
  print(what, ok and r[0] or ("%s line %d"):format(r.code, r.line))
end

try("off", "if tx % 32 < 16 then v = v + T.shfl_down(v, 16) end")
try("wide", "v = v + T.shfl_xor(v, 1, 128)")
try("zero", "v = v // X[0]")
try("zero where it is off", "if v > 0 then v = 7 // v end")
try("all on", "v = v + T.shfl_down(v, 16)")
LUA
"$MOONTILE" -t cpu "$TMP/checks.lua" 2>&1 | grep -v "executed\|^help"
