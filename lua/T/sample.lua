-- T/sample.lua: makes a whole program of the example of a name, so that every
-- example can be read, traced and run.
--
-- Where an example stands: "kernel" (default) inside of a launch with the tiles
-- below; "head" among the annotations; "top" between the signature and the
-- launch; "host" outside of any kernel.

local M = {}

local head = [[
local f = tl.jit(function(A, B)
  A: T.Tensor({64, 64}, T.float32)
]]

local signature = [[
  B: T.Tensor({64, 64}, T.float32)
  local C = T.empty({64, 64}, T.float32)
]]

local open = [[
  for bx, by in T.Kernel(2, 2, {threads = 128}) do
    local As, Bs = T.alloc_shared({32, 32}, T.float16), T.alloc_shared({32, 32}, T.float16)
    local Cl, row = T.alloc_fragment({32, 32}, T.float32), T.alloc_fragment({32}, T.float32)
    local Is, Ir = T.alloc_shared({32, 32}, T.int32), T.alloc_fragment({32}, T.int32)
    T.copy(A[by * 32, bx * 32], As)
    T.copy(B[by * 32, bx * 32], Bs)
    T.copy(A[by * 32, bx * 32], Cl)
    T.copy(B[by * 32, bx * 32], Is)
    T.fill(row, 1)
    T.fill(Ir, 1)
]]

local close = [[
    for i, j in T.Parallel(32, 32) do
      Cl[i, j] = Cl[i, j] + row[i] + Ir[i] + Is[i, j] + As[i, j] + Bs[i, j]
    end
    T.copy(Cl, C[by * 32, bx * 32])
  end
]]

local finish = [[
  return C
end)
]]

-- The program of a row's example, and whether it defines the kernel f(A, B).
function M.program(row)
  local e = row.example .. "\n"
  if row.where == "host" then
    return e, false
  elseif row.where == "head" then
    if not e:find("B: T", 1, true) and not e:find("B = T.annotate", 1, true) then
      e = e .. "B: T.Tensor({64, 64}, T.float32)\n"
    end
    return head .. e .. "local C = T.empty({64, 64}, T.float32)\n" .. open .. close .. finish, true
  elseif row.where == "top" then
    local own = e:find("return", 1, true)
    return head .. signature .. (own and "" or e) .. open .. close ..
      (own and e .. "end)\n" or finish), true
  end
  return head .. signature .. open .. e .. close .. finish, true
end

return M
