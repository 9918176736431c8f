-- T.Pipelined with order and stage lists: each entry is for a statement of the user, whatever the
-- compiler makes of it; names for what the loop changes count, others do not.  Each list of stages
-- gives what the loop without lists gives, or is refused.
local machines = {"sm_75", "sm_80", "sm_90a", "c500", "gfx942"}

local bodies = {
  {"name", 4, T.macro(function(A, C, D, s, k, f, count)
    local base = k + 1
    T.copy(A[k, 0], s)
    local v = s[3]
    local w = v * 2
    for i in T.Parallel(64) do C[k, i] = w - v + base end
    for i in T.Parallel(64) do D[k, i] = s[i] end
  end)},
  {"variable", 4, T.macro(function(A, C, D, s, k, f, count)
    local x = T.alloc_var(T.float32)
    T.copy(A[k, 0], s)
    x = s[5] + k
    for i in T.Parallel(64) do C[k, i] = x + s[i] end
    for i in T.Parallel(64) do D[k, i] = x * 2 end
  end)},
  {"old value", 4, T.macro(function(A, C, D, s, k, f, count)
    T.copy(A[k, 0], s)
    local old = T.atomic_add(count[0], 1, {return_prev = true})
    for i in T.Parallel(64) do C[k, i] = s[i] + old end
    D[k, 0] = old
  end)},
  {"fragment", 5, T.macro(function(A, C, D, s, k, f, count)
    T.copy(A[k, 0], s)
    T.copy(s, f)
    C[k, 3] = f[9]
    local v = f[7]
    for i in T.Parallel(64) do D[k, i] = f[i] + v end
  end)},
  {"array", 3, T.macro(function(A, C, D, s, k, f, count)
    local r = T.alloc_local({3}, T.float32)
    for j in T.serial(3) do r[j] = A[k, j] end
    T.copy(A[k, 0], s)
    for j in T.serial(3) do C[k, j] = r[j] + s[j] end
  end)},
}


local function kernel(machine, body, opt)
  return tl.jit(function(A)
    local N = T.const "N"
    A: T.Tensor({N, 64}, T.float32)
    local C = T.empty({N, 64}, T.float32)
    local D = T.empty({N, 64}, T.float32)
    for bx in T.Kernel(1, {threads = 64}) do
      local s = T.alloc_shared({64}, T.float32)
      local f = T.alloc_fragment({64}, T.float32)
      local count = T.alloc_shared({1}, T.int32)
      T.fill(count, 0)
      T.clear(f)
      T.clear(C)
      T.clear(D)
      for k in T.Pipelined(N, opt) do
        body(A, C, D, s, k, f, count)
      end
      C[0, 63] = C[0, 63] + f[0] * 0 + T.min(count[0], 0)
    end
    return C, D
  end, {target = "sim -arch=" .. machine})
end

local a = tl.rand({5, 64})
for _, b in ipairs(bodies) do
  local name, n, body = b[1], b[2], b[3]
  local c, d = kernel("sm_80", body, {num_stages = 0})(a)
  local same, refused, wrong = 0, {}, 0
  local order = {}
  for i = 1, n do order[i] = i - 1 end
  for m, machine in ipairs(machines) do
    for at = 0, 3 ^ (n - 1) - 1 do
      local stage, rest = {0}, at
      for i = 2, n do
        stage[i], rest = rest % 3, rest // 3
      end
      if (at + m) % 3 == 0 then
        local ok, got, more = pcall(function() return kernel(machine, body, {order = order, stage = stage})(a) end)
        if not ok then
          refused[got.code or tostring(got)] = (refused[got.code or tostring(got)] or 0) + 1
        elseif tl.allclose(got, c) and tl.allclose(more, d) then
          same = same + 1
        else
          wrong = wrong + 1
          print("wrong", machine, table.concat(stage, " "))
        end
      end
    end
  end
  local codes = {}
  for code, times in pairs(refused) do codes[#codes + 1] = code .. ": " .. times end
  table.sort(codes)
  print(name, "same: " .. same, "wrong: " .. wrong, table.concat(codes, ", "))
  local ok, e = pcall(function() kernel("sm_80", body, {order = {0, 1}, stage = {0, 1}})(a) end)
  print(tostring(e):match("error%[[^\n]*") or tostring(e))
end
