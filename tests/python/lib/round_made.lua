-- Generated kernels in Python: made(seed) -> a file, {comments}.  Tile operations, loops, pipelines, conditions, casts,
-- in the lazy and the eager style, with a comment behind or above many lines.  The checks may refuse one.
local H, W = 32, 64 -- of all tiles

local R -- random numbers of this file
local function below(n) return R:below(n) end
local function chance(n) return below(n) == 0 end
local function pick(t) return t[below(#t) + 1] end

local Random = {}
Random.__index = Random
function Random:below(n)
  self.s = (self.s * 6364136223846793005 + 1442695040888963407)
  return ((self.s >> 33) % n)
end

local P -- the file that is made: lines, indent, comments, tiles

local words = {"copy it", "the sum so far", "guard", "a tile", "`x` here", "one -- two", "naïve", "# again", "do", "1/2"}

local function comment()
  P.ncomment = P.ncomment + 1
  local s = ("%s %d"):format(pick(words), P.ncomment)
  P.comments[#P.comments + 1] = s
  return "# " .. s
end

local function line(fmt, ...)
  local s = select("#", ...) > 0 and fmt:format(...) or fmt
  if chance(9) then
    P.lines[#P.lines + 1] = ("    "):rep(P.indent) .. comment()
  end
  P.lines[#P.lines + 1] = ("    "):rep(P.indent) .. s .. (chance(9) and "  " .. comment() or "")
end

local function inside(f, ...)
  P.indent = P.indent + 1
  f(...)
  P.indent = P.indent - 1
end

-- Expressions ----------------------------------------------------------------------------------------

local int, float, cond

-- Integers that are known where a statement stands: loop variables, blocks.
function int(d)
  if d <= 0 or chance(3) then
    return chance(3) and tostring(below(9) + 1) or pick(P.ints)
  end
  local kind = below(9)
  local a, b = int(d - 1), int(d - 1)
  if kind < 4 then
    return ("(%s %s %s)"):format(a, pick {"+", "-", "*", "+"}, b)
  elseif kind == 4 then
    return ("(%s %s %d)"):format(a, pick {"//", "%"}, below(7) + 1)
  elseif kind == 5 then
    return ("(%s %s %s)"):format(a, pick {"&", "|", "^"}, b)
  elseif kind == 6 then
    return ("(%s %s %d)"):format(a, pick {"<<", ">>"}, below(4))
  elseif kind == 7 then
    return pick {"-(%s)", "~(%s)", "(%s)", "T.abs(%s)"}:format(a)
  end
  return ("%s(%s, %s)"):format(pick {"T.min", "T.max", "min", "max"}, a, b)
end

function cond(d)
  local kind = below(7)
  if kind < 3 or d <= 0 then
    return ("%s %s %s"):format(int(d - 1), pick {"<", "<=", ">", ">=", "==", "!="}, int(d - 1))
  elseif kind == 3 then
    return ("%d <= %s < %s"):format(below(3), int(d - 1), int(d - 1))
  elseif kind == 4 then
    return ("(%s) and (%s)"):format(cond(d - 1), cond(d - 1))
  elseif kind == 5 then
    return ("(%s) or (%s)"):format(cond(d - 1), cond(d - 1))
  end
  return ("not (%s)"):format(cond(d - 1))
end

-- An element of a tile at the loop's indices.
local function element()
  return ("%s[%s]"):format(pick(P.tiles).name, P.at)
end

function float(d)
  if d <= 0 or chance(4) then
    return chance(3) and pick {"0.5", "2.0", "1e-3", "-1.5", "3.0"} or element()
  end
  local kind = below(9)
  local a, b = float(d - 1), float(d - 1)
  if kind < 3 then
    return ("(%s %s %s)"):format(a, pick {"+", "-", "*", "/"}, b)
  elseif kind == 3 then
    return ("%s(%s)"):format(pick {"T.exp", "T.sqrt", "T.abs", "T.floor", "T.tanh", "T.exp2", "T.sigmoid", "T.ceil", "T.rsqrt",
      "T.log", "T.cos"}, a)
  elseif kind == 4 then
    return ("T.cast(%s, \"%s\")"):format(a, pick {"float32", "float16", "int32", "bfloat16"})
  elseif kind == 5 then
    return ("%s(%s, %s)"):format(pick {"T.max", "T.min", "max", "min"}, a, b)
  elseif kind == 6 then
    return ("(%s if %s else %s)"):format(a, cond(d - 1), b)
  elseif kind == 7 then
    return ("%s(%s, %s, %s)"):format(pick {"T.if_then_else", "T.Select"}, cond(d - 1), a, b)
  end
  return pick {"T.float32(%s)", "-(%s)", "T.abs(%s).astype(\"float32\")", "T.clamp(%s, -4.0, 4.0)", "T.cast(%s, T.float16)"}:format(
    chance(2) and int(d - 1) or a)
end

-- Statements -----------------------------------------------------------------------------------------

local block

local function tiles(scope)
  local list = {}
  for _, t in ipairs(P.tiles) do
    list[#list + 1] = (not scope or t.scope == scope) and t or nil
  end
  return list
end

local function region(name)
  return chance(2) and ("%s[by * %d, bx * %d]"):format(name, H, W)
    or ("%s[by * %d:(by + 1) * %d, bx * %d:(bx + 1) * %d]"):format(name, H, H, W, W)
end

local function copy()
  local kind = below(3)
  if kind == 0 then
    line("T.copy(%s, %s)", region(pick {"A", "B"}), pick(P.tiles).name)
  elseif kind == 1 then
    line("T.copy(%s, %s)", pick(P.tiles).name, region "C")
  else
    line("T.copy(%s, %s)", pick(P.tiles).name, pick(P.tiles).name)
  end
end

local function fill()
  local t = pick(P.tiles).name
  line(chance(2) and "T.clear(" .. t .. ")" or ("T.fill(%s, %s)"):format(t, pick {"0", "1.5", "-2", "T.infinity(\"float32\")",
    "-T.infinity(\"float32\")", "float(\"inf\")", "bx + 1"}))
end

local function gemm()
  line("T.gemm(%s, %s, %s%s)", P.left, P.right, P.acc, pick {"", ", transpose_B=True", ", clear_accum=True",
    ", policy=T.GemmWarpPolicy.FullRow", ", transpose_B=True, policy=T.GemmWarpPolicy.FullCol", ", False, True"})
end

local function reduce()
  line("T.%s(%s, row%s)", pick {"reduce_sum", "reduce_max", "reduce_min", "reduce_absmax"},
    pick(tiles "fragment").name, pick {", dim=1", ", 1, False", ", dim=-1, clear=False", ", 1"})
end

-- f() where i, j are the indices of a loop over a tile.
local function with_indices(i, j, f)
  local n, at = #P.ints, P.at
  P.ints[n + 1], P.ints[n + 2] = i, j
  P.at = i .. ", " .. j
  f()
  P.ints[n + 2], P.ints[n + 1] = nil, nil
  P.at = at
end

local function store(i, j)
  local t = pick(P.tiles).name
  local kind = below(5)
  if kind == 0 then
    line("%s[%s, %s] %s %s", t, i, j, pick {"+=", "*=", "-="}, float(2))
  elseif kind == 1 then
    line("C[by * %d + %s, bx * %d + %s] = %s", H, i, W, j, float(2))
  elseif kind == 2 then
    line("v = %s + %s", element(), float(2))
    line("%s[%s, %s] = v * %s", t, i, j, chance(2) and "v" or "2.0")
  else
    line("%s[%s, %s] = %s", t, i, j, float(3))
  end
end

local function branch(then_, else_, condition)
  line("if %s:", condition)
  inside(then_)
  if chance(3) then
    line("elif %s:", cond(1))
    inside(then_)
  end
  if chance(2) then
    line "else:"
    inside(else_)
  end
end

local function parallel()
  local i, j = pick {"i", "r", "ii"}, pick {"j", "c", "jj"}
  line("for %s, %s in T.Parallel(%d, %d):", i, j, H, W)
  with_indices(i, j, function()
    inside(function()
      for _ = 0, below(2) do
        if chance(3) then
          branch(function() store(i, j) end, function() store(i, j) end, cond(2))
        else
          store(i, j)
        end
      end
    end)
  end)
end

local function rows()
  line("for %s in T.Parallel(%d):", "q", H)
  P.ints[#P.ints + 1] = "q"
  inside(function()
    line("row[q] = %s", pick {"row[q] * 2.0", "T.exp(row[q])", "T.cast(q, \"float32\")", "row[q] / (1.0 + T.abs(row[q]))",
      "0.0 if q % 2 == 0 else row[q]"})
  end)
  P.ints[#P.ints] = nil
end

local function by_rows()
  local t = pick(tiles "fragment").name
  line("for i, j in T.Parallel(%d, %d):", H, W)
  inside(function() line("%s[i, j] %s row[i]", t, pick {"+=", "-=", "*=", "= row[i] +"}) end)
end

local function loop()
  local k = pick {"k", "ko", "step"} .. P.indent
  line("for %s in %s:", k, pick {"T.serial(4)", "range(3)", "T.serial(1, 4)", "T.unroll(2)", "T.Pipelined(4, num_stages=2)",
    "T.Pipelined(T.ceildiv(100, 32), num_stages=3)", "range(1, 7, 2)", "T.serial(bx + 1)"})
  P.ints[#P.ints + 1] = k
  inside(block, 3)
  P.ints[#P.ints] = nil
end

local function counter()
  line "count += 1"
  line("if count %s %d:", pick {">", "<", "=="}, below(4))
  inside(block, 1)
end

local function ask()
  branch(function() block(2) end, function() block(1) end, cond(2))
end

local function atomic()
  line("for i, j in T.Parallel(%d, %d):", H, W)
  inside(function()
    line("%s(C[by * %d + i, bx * %d + j], %s[i, j])", pick {"T.atomic_add", "T.atomic_max"}, H, W, pick(P.tiles).name)
  end)
end

local function other()
  line(pick {"T.sync_threads()", "pass", "T.cumsum(acc, dim=1)", "T.copy(S0[0:16, 0:32], S1[16:32, 32:64])",
    "T.copy(A[by * 32, bx * 64], F0, disable_tma=True)", "T.use_swizzle(panel_size=4)", "T.use_swizzle(10, enable=True)",
    "T.device_assert(bx >= 0)", "T.assume(by < 4)", "T.print(count, msg=\"count\")", "T.reduce_sum(acc, column, dim=0)",
    "T.annotate_layout({S0: T.make_swizzled_layout(S0)})", "T.copy(S0[bx, :], S1[by, :])",
    "assert 2 * 3 == 6, \"known\"", "rank = T.get_thread_binding(0)"})
end

-- A call in several lines.
local function long()
  line "T.copy("
  inside(function()
    line("%s,", region "A")
    line("%s,", pick(P.tiles).name)
  end)
  line ")"
end

local function alone()
  line("tx = T.get_thread_binding()")
  line("if tx < %d:", 32)
  inside(function()
    line "mine[0] = S0[tx, 0]"
    line("for e in %s:", pick {"T.serial(1, 8)", "T.vectorized(4)", "range(8)", "T.unroll(4)"})
    inside(function() line("mine[0] %s S0[tx, e]", pick {"+=", "=", "-="}) end)
    line "S1[tx, 1] = mine[0]"
  end)
  line "T.sync_threads()"
end

local function while_()
  line "count = 0"
  line("while count < %d:", 2 + below(3))
  inside(function()
    block(1)
    if chance(3) then
      line("if %s:", cond(0))
      inside(function() line(pick {"break", "T.loop_break()"}) end)
    end
    line "count += 1"
  end)
end

local function slices()
  line("for i in T.Parallel(%d):", H)
  inside(function()
    line(pick {"D[bx, by, i] = row[i]", "D[bx, by, i] = T.max(D[bx, by, i], row[i])", "row[i] = D[by, bx, i] * scale",
      "row[i] += T.cast(bx * 3 + i, T.float32) * scale", "row[i] = n // 2 + i", "row[i] = T.cast(n % 3, \"float32\")"})
  end)
end

local few = {copy, copy, fill, gemm, reduce, parallel, parallel, rows, by_rows, atomic, other, other, long, slices, alone}
local many = {loop, ask, counter, loop, while_}

function block(n)
  for _ = 0, below(n) do
    if P.indent < 7 and chance(4) then
      pick(many)()
    else
      pick(few)()
    end
  end
end

-- Kernels --------------------------------------------------------------------------------------------

local function body()
  line("with T.Kernel(%d, %d, threads=%d) as (bx, by):", 2, 2, pick {128, 64, 256})
  inside(function()
    local dtype = pick {"float16", "bfloat16"}
    P.ints = {"bx", "by"}
    P.tiles = {{name = "S0", scope = "shared"}, {name = "S1", scope = "shared"}, {name = "F0", scope = "fragment"},
      {name = "acc", scope = "fragment"}}
    P.left, P.right, P.acc = "S0", "Sq", "acc"
    line("S0 = T.alloc_shared((%d, %d), \"%s\")", H, W, dtype)
    line("S1 = T.alloc_shared([%d, %d], T.%s)", H, W, pick {dtype, "float32"})
    line("Sq = T.alloc_shared((%d, %d), \"%s\")", W, W, dtype)
    line("F0 = T.alloc_fragment((%d, %d), T.float32)", H, W)
    line("acc = T.alloc_fragment((%d, %d), \"float\")", H, W)
    line("row = T.alloc_fragment((%d,), \"float32\")", H)
    line("column = T.alloc_fragment([%d], T.float32)", W)
    line "mine = T.alloc_local((1,), \"float32\")"
    line("count = T.alloc_var(T.int32, init=%d)", below(3))
    for _, t in ipairs(P.tiles) do
      line("T.copy(A[by * %d, bx * %d], %s)", H, W, t.name)
    end
    line "T.fill(Sq, 1)"
    line "T.fill(row, 0)"
    for _ = 1, 3 + below(5) do
      block(2)
    end
    line("T.copy(%s, C[by * %d, bx * %d])", pick(P.tiles).name, H, W)
  end)
end

local rank = ("(%d, %d)"):format(2 * H, 2 * W)

local function lazy()
  line "@T.prim_func"
  line "def main("
  inside(function()
    line("A: T.Tensor(%s, \"float32\"),", rank)
    line("B: T.Tensor(%s, T.float32),", rank)
    line("C: T.Tensor(%s, \"float32\"),", rank)
    line("D: T.Tensor((2, 2, %d), \"float32\"),", H)
    line "scale: T.float32,"
    line "n: T.int32,"
  end)
  line "):"
  inside(body)
  line ""
  line "kernel = tilelang.compile(main)"
end

local function factory()
  line "def make(height, width, dtype=\"float32\"):"
  inside(function()
    line "shape = (height, width)"
    line "@T.prim_func"
    line "def main(A: T.Tensor(shape, dtype), B: T.Tensor((height, width), dtype), C: T.Tensor(shape, dtype), D: T.Tensor([2, 2, 32], dtype), scale: T.float32, n: T.int32):"
    inside(body)
    line ""
    line "return main"
  end)
  line ""
  line("kernel = tilelang.compile(make(%d, %d))", 2 * H, 2 * W)
end

local function eager()
  line "@tilelang.jit"
  line "def main(A, B, C, D, scale: T.float32, n: T.int32):"
  inside(function()
    line "M, N = T.const(\"M, N\")"
    line "A: T.Tensor((M, N), T.float32)"
    line "B: T.Tensor((M, N), T.float32)"
    line "C: T.Tensor((M, N), T.float32)"
    line("D: T.Tensor((2, 2, %d), T.float32)", H)
    body()
  end)
  line ""
  line("kernel = main.compile(M=%d, N=%d)", 2 * H, 2 * W)
end

return function(seed)
  R = setmetatable({s = seed * 7919 + 12345}, Random)
  P = {lines = {}, indent = 0, ncomment = 0, comments = {}}
  line "import tilelang"
  line "import tilelang.language as T"
  line ""
  pick {lazy, factory, eager}()
  return table.concat(P.lines, "\n") .. "\n", P.comments
end
