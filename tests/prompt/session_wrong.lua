-- The lines that :explain shows: each wrong one raises its message, each right one none.
local frame = [[
return tl.jit(function(A, B, BM, BN, BK)
  local M, N, K = T.const "M, N, K"
  A: T.Tensor({M, K}, T.float16)
  B: T.Tensor({K, N}, T.float16)
  local C = T.empty({M, N}, T.float16)
  for bx, by in T.Kernel(T.ceildiv(N, BN), T.ceildiv(M, BM), {threads = 128}) do
    local As = T.alloc_shared({BM, BK}, T.float16)
    local Bs = T.alloc_shared({BK, BN}, T.float16)
    local Cl = T.alloc_fragment({BM, BN}, T.float32)
    T.clear(Cl)
    T.clear(As)
    T.clear(Bs)
    LINES
    T.copy(Cl, C[by * BM, bx * BN])
  end
  return C
end)]]

io.stderr:close() -- warnings of buffers that nobody uses

local function code_of(lines)
  local f = assert(load(frame:gsub("LINES", function() return lines end), "=example"))()
  local ok, e = pcall(f.compile, f, {M = 128, N = 128, K = 64, BM = 64, BN = 64, BK = 32})
  return ok and "right" or e.code or tostring(e)
end

local codes = {}
for code in pairs(require "moontile.repl.wrong") do
  codes[#codes + 1] = code
end
table.sort(codes)
for _, code in ipairs(codes) do
  local row = require "moontile.repl.wrong"[code]
  print(code, code_of(row.wrong), code_of(row.right))
end
