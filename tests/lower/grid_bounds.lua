-- Indices that the number of blocks keeps inside, whatever the sizes are: no guards, and one text of the copies
-- instead of two.  Where the grid is another, the guards stay; results are the same.
local function kernel(grid, index)
  return tl.jit(function(A)
    local B, S = T.dynamic "B, S"
    A: T.Tensor({B, S, 64}, T.int32)
    local C = T.empty({B, grid(S), 64}, T.int32)
    for bx, by in T.Kernel(grid(S), B, {threads = 64}) do
      local s = T.alloc_shared({64}, T.int32)
      T.copy(A[by, index(bx), 0], s)
      T.copy(s, C[by, bx, 0])
    end
    return C
  end)
end

local B, S = 3, 5
local a = tl.randint(1, 9, {B, S, 64}, "int32")
local values = a:totable()

local function right(c, index)
  for b, rows in ipairs(c:totable()) do
    for x, row in ipairs(rows) do
      local from = values[b][index(x - 1) + 1] or {}
      for i, v in ipairs(row) do
        if v ~= (from[i] or 0) then return false end
      end
    end
  end
  return true
end

local function show(name, grid, index)
  local f, wrong = kernel(grid, index), {}
  tl.set_target "sim -arch=sm_80"
  local text = f:compile():ir "thread"
  for _, machine in ipairs {"sm_80", "sm_90a", "gfx942"} do
    tl.set_target("sim -arch=" .. machine)
    if not right(f(a), index) then wrong[#wrong + 1] = machine end
  end
  print(("%-30s %-8s %s"):format(name, text:find "if [^\n]*b[xy][^\n]* then" and "guards" or "none",
    #wrong == 0 and "right" or table.concat(wrong, ", ")))
end

show("a block a row", function(S) return S end, function(bx) return bx end)
show("two blocks a row", function(S) return S * 2 end, function(bx) return bx // 2 end)
show("three, the grid turned around", function(S) return 3 * S end, function(bx) return bx // 3 end)
show("one block too many", function(S) return S + 1 end, function(bx) return bx end)
show("two blocks and one", function(S) return S * 2 + 1 end, function(bx) return bx // 2 end)
show("more blocks than halves", function(S) return S * 3 end, function(bx) return bx // 2 end)
show("from one before", function(S) return S end, function(bx) return bx - 1 end)
show("one further on", function(S) return S end, function(bx) return bx + 1 end)
