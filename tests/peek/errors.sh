# What k:peek says when there is nothing to look at, in both languages.
cat >"$TMP/k.lua" <<'EOF'
local k = tl.jit(function(A)
  local M, K = T.const "M, K"
  A: T.Tensor({M, K}, T.float32)
  local C = T.empty({M}, T.float32)
  for bx in T.Kernel(T.ceildiv(M, 32), {threads = 32}) do
    local tile = T.alloc_shared({32, 16}, T.float32)
    local sum = T.alloc_fragment({32}, T.float32)
    local other = T.alloc_var(T.int32, 0)
    T.clear(sum)
    for ko in T.serial(K // 16) do
      T.copy(A[bx * 32, ko * 16], tile)
      local part = T.alloc_fragment({32}, T.float32)
      T.reduce_sum(tile, part, {dim = 1})
      for i in T.Parallel(32) do
        sum[i] = sum[i] + part[i]
      end
      if bx == 1 then
        other = ko
        sum[0] = 5
      end
    end
    T.copy(sum, C[bx * 32])
    if other > 3 then
      C[bx] = 0
    end
  end
  return C
end):compile(tl.ones({64, 64}))
local function try(...)
  local ok, e = pcall(k.peek, k, ...)
  print(ok and "no error" or ("%s %s | %s | %s"):format(e.code, e.message, e.label or "", e.help or ""):gsub(" +$", ""))
end
try("tiel")
try("nothing_like_it")
try("A")
try("sum", {block = 2})
try("sum", {block = {0, 0}})
try("sum", {block = {by = 1}})
try("sum", {block = -1})
try("sum", {iteration = 4})
try("sum", {iteration = -5})
try("sum", {iteration = {ko = 7}})
try("sum", {iteration = {k0 = 1}})
try("sum", {iteration = {i = 1}})
try("sum", {iteration = "first"})
try("part", {line = 22})
try("sum", {line = 40})
try("sum", {line = 19, block = 0})
try("sum", {rows = {0, 32}})
try("tile", {cols = {3, 1}})
try("tile", {colums = 1})
try(7)
EOF
"$MOONTILE" "$TMP/k.lua"
"$MOONTILE" --lang zh "$TMP/k.lua"
