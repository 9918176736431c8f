-- Pipelined loops under conditions that are known only when the kernel runs.  Producer and
-- consumers write them differently once `else` branches without loads are gone: what plays the
-- rings through when the kernel is compiled must give both the same value.
local M, N, W = 4, 64, 8

-- Each: what comes before, the statement, where LOOP(count, buffer) stands for a loop.
local cases = {
  {"else", "", "if bx < 1 then T.fill(c, 3) else LOOP(3, a) end"},
  {"else of else", "", "if bx < 1 then T.fill(c, 3) elseif bx == 2 then T.fill(c, 4) else LOOP(3, a) end"},
  {"or", "", "if bx == 3 or bx % 2 == 0 then T.fill(c, 3) elseif bx <= 1 then LOOP(2, a) end"},
  {"both branches", "", "if bx > 1 then LOOP(2, a) else LOOP(3, b) end"},
  {"not", "", "if not (bx > 1) then LOOP(2, a) end; LOOP(3, b)"},
  {"a loop's condition and count", "", "if bx > 1 then LOOP(bx, a) else LOOP(bx + 2, b) end"},
  {"one count twice", "", "if bx ~= 2 then LOOP(bx + 1, a) end; if bx == 2 then LOOP(bx + 1, b) end"},
  {"memory", "", "if I[bx] > 1 then T.fill(c, 3) else LOOP(3, a) end"},
  {"memory, two ways", "", "if I[bx] > 1 and I[0] < 5 then T.fill(c, 3) else LOOP(3, a) end; if I[bx] <= 1 then LOOP(2, b) end"},
  {"memory, count and condition", "", "if I[bx] == 0 then T.fill(c, 3) else LOOP(I[bx], a) end"},
  {"a count of memory, no sum", "", "if I[bx] > 2 then T.fill(c, 1) else LOOP(I[bx] // 2 + 1, a) end"},
  {"floats", "", "if X[0, bx] > X[1, bx] then T.fill(c, 3) else LOOP(3, a) end"},
  {"floats, two ways", "", "if X[0, bx] > 1.5 then T.fill(c, 3) else LOOP(3, a) end; if 1.5 < X[0, bx] then LOOP(2, b) end"},
  {"a cast", "", 'if T.cast(X[0, bx], "int32") // 2 > bx then T.fill(c, 3) else LOOP(3, a) end'},
  {"a variable", 'local v = T.alloc_var("int32", 0)', "v = I[bx]; if v > 1 then T.fill(c, 3) else LOOP(v + 1, a) end; v = v + 1; if v > 2 then LOOP(2, b) end"},
  {"a variable in a loop", 'local v = T.alloc_var("int32", 0)', "for s in T.serial(3) do v = v + I[s]; if v % 2 == 0 then T.fill(c, 3) else LOOP(2, a) end end"},
  {"a variable of floats", 'local v = T.alloc_var("float32", 0)', "for s in T.serial(3) do v = v + X[s, bx]; if v > 2 then T.fill(c, 3) else LOOP(2, a) end end"},
  {"a while of memory", 'local v = T.alloc_var("int32", 0)', "while I[v] > 0 do v = v + 1; if I[v] == 2 then T.fill(c, 3) else LOOP(2, a) end end"},
  {"a step", "", "for s in T.serial(3) do if (s + bx) % 2 == 0 then T.fill(c, 3) else LOOP(2, a) end end"},
  {"a count that a step reads", "", "for s in T.serial(4) do local n = I[s]; LOOP(n, a) end"},
  {"a count that a step names", "", "for s in T.serial(4) do local n = (s * 3 + I[0]) % 4; LOOP(n, a) end"},
  {"a step's own count in a loop", "", "for r in T.serial(3) do local n = I[r]; for s in T.serial(n) do LOOP(2, a) end end"},
  {"a break", "", "for s in T.serial(4) do if I[s] > bx then break end; LOOP(2, a) end"},
  {"a break in else", "", "for s in T.serial(4) do if I[s] <= bx then T.fill(c, 1) else break end; LOOP(2, a) end"},
  {"a continue in else", "", "for s in T.serial(4) do if I[s] <= bx then T.fill(c, 1) else goto continue end; LOOP(2, a) ::continue:: end"},
  {"a continue", "", "for s in T.serial(4) do if I[s] > bx then goto continue end; LOOP(2, a) ::continue:: end"},
  {"a break of a loop inside", "", "for r in T.serial(3) do for s in T.serial(4) do if I[s] > bx then break end; LOOP(2, a) end end"},
  {"a break behind", "", "for r in T.serial(3) do for s in T.serial(4) do LOOP(3, a); if I[s] > bx then break end end end"},
  {"a break of a loop beside", "", "for s in T.serial(3) do for r in T.serial(4) do if I[r] > s then break end; T.fill(c, r) end; LOOP(3, a) end"},
  {"a copy, then a continue", "COPY(b)", "for s in T.serial(4) do T.copy(X[0, s * 8], b); if I[s] > bx then goto continue end; for i in T.Parallel(8) do c[i] = c[i] + b[bx % 4, i] end; LOOP(2, a) ::continue:: end"},
  {"what is assumed", "", "T.assume(I[bx] < 9); if I[bx] < 9 then LOOP(2, a) else T.fill(c, 3) end"},
}

local loop = [[
for k in T.Pipelined(%s, {num_stages = 2}) do
  T.copy(X[0, k * 8], %s)
  for i in T.Parallel(8) do c[i] = c[i] + %s[bx %% 4, i] end
end]]

local text = [[
local M, N, W, B = ...
return tl.jit(function(X, I)
  X: T.Tensor({M, N}, "float32")
  I: T.Tensor({8}, "int32")
  local C = T.empty({B, W}, "float32")
  for bx in T.Kernel(B, {threads = 128}) do
    %s
    local c = T.alloc_fragment({W}, "float32")
    %s
    T.fill(c, bx)
    %s
    T.copy(c, C[bx, 0])
  end
  return C
end)]]

local x = tl.arange(M * N, "float32"):reshape {M, N} % 7
local counts = tl.from_table({2, 1, 3, 0, 2, 1, 0, 0}, "int32")

for _, case in ipairs(cases) do
  local tiles, before = "", case[2]
  before = before:gsub("COPY%((%a)%)", function(tile)
    return ("local %s = T.alloc_shared({M, W}, 'float32')"):format(tile)
  end)
  local body = case[3]:gsub("LOOP%(([^,]*), (%a)%)", function(n, tile)
    if not tiles:find(tile .. " =") then
      tiles = tiles .. (" local %s = T.alloc_shared({M, W}, 'float32')"):format(tile)
    end
    return loop:format(n, tile, tile)
  end)
  local function run(target)
    local f = assert(load(text:format(tiles, before, body), case[1]))(M, N, W, 4)
    f.opts.target = target
    return f(x, counts), f:compile()
  end
  local got, k = run "sim -arch=sm_90a"
  print(("%-30s %-6s %s"):format(case[1], k:ir("thread"):match "producer" and "roles" or "-",
    tl.allclose(got:to "cpu", run "cpu", {rtol = 0, atol = 0}) and "right" or "WRONG"))
end
