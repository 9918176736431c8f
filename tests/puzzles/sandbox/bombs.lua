-- Texts that do not end, or grow without end: each is stopped by a limit, which names the
-- line, and nothing that the text does to catch errors helps it.
local lib = dofile "lib/try.lua"
local try, kernel, inside = lib.try, lib.kernel, lib.inside

local soon = {seconds = 0.3, instructions = 1 << 50}
local function bomb(name, text, limits)
  try(name, kernel .. text, {limits = limits})
end

-- Time and steps.
bomb("loop", "while true do end")
bomb("goto", "::again:: goto again")
bomb("loop in pcall", "while true do pcall(function() while true do end end) end")
bomb("pcall in loop", "while true do pcall(error) end")
bomb("xpcall", "while true do xpcall(error, function() while true do end end) end")
bomb("__close", "local x <close> = setmetatable({}, {__close = function() while true do end end})")
bomb("__index", "local t = setmetatable({}, {__index = function(t, k) return t[k + 1] end})\nlocal x = t[1]")
bomb("loop, by time", "while true do pcall(error) end", soon)
bomb("pattern", "local x = ('a'):rep(40):find(('a*'):rep(40) .. 'b')", soon)
bomb("table.move", "table.move({}, 1, 1 << 60, 2)", soon)
bomb("string.rep of nothing", "local x = (''):rep(1 << 60)", soon)
bomb("table.sort", "table.sort({3, 2, 1}, function() while true do end end)")
bomb("gsub", "local x = ('x'):gsub('x', function() while true do end end)")
bomb("tostring", "print(setmetatable({}, {__tostring = function() while true do end end}))")
bomb("recursion", "local function g() return 1 + g() end\ng()", {seconds = 100, instructions = 1 << 50})
bomb("recursion in pcall", "local function g() pcall(g) g() end\ng()", {seconds = 0.3})
bomb("a slow reference", "local a = tl.ones {1000, 1000}\nfor i = 1, 1 << 30 do tl.ref.matmul(a, a) end",
  soon)

-- Memory.
local small = {memory = 32 << 20, seconds = 100, instructions = 1 << 50}
bomb("table", "local t = {}\nwhile true do t[#t + 1] = {} end", small)
bomb("array", "local t = {}\nfor i = 1, 1 << 40 do t[i] = i end", small)
bomb("string", "local s = 'x'\nwhile true do s = s .. s end", small)
bomb("string in pcall", "local s = 'x'\nwhile true do pcall(function() s = s .. s end) end", small)
bomb("string.rep", "local s = ('x'):rep(1 << 30)", small)
bomb("string.rep in pcall", "while true do pcall(string.rep, 'x', 1 << 30) end", small)
bomb("many strings", "local t = {}\nfor i = 1, 1 << 40 do t[i] = ('x'):rep(1000) .. i end", small)
bomb("gsub grows", "local s = ('x'):rep(1 << 20)\ns = s:gsub('.', ('y'):rep(200))", small)
bomb("table.concat", "local t = {}\nfor i = 1, 1 << 10 do t[i] = ('sixteen letters.'):rep(1 << 12) end\nlocal s = table.concat(t)",
  small)
bomb("unpack", "print(table.unpack({}, 1, 1 << 24))", small)
bomb("closures", "local f\nwhile true do local g = f\nf = function() return g end end", small)
bomb("garbage", "for i = 1, 300 do local s = ('sixteen letters.'):rep(1 << 16) .. i end", small)
bomb("large tensor", "local x = tl.zeros {100000, 100000}", small)
bomb("many tensors", "local t = {}\nfor i = 1, 1000 do t[i] = tl.zeros {1000, 1000} end", small)

-- Kernels.
local long = {seconds = 100, instructions = 1 << 50}
try("a loop in a kernel", inside "    while true do end")
try("statements", inside "    for k = 1, 1 << 30 do B[0] = 1 end", {limits = long})
try("buffers", inside "    for k = 1, 1 << 30 do local x = T.alloc_shared({32}, T.float32) end",
  {limits = long})
try("steps in a trace", inside "    local x = 0\n    for k = 1, 1 << 30 do x = x + 1 end")
try("an expression", inside
  "    local v = A[0]\n    for k = 1, 200 do v = v * v + v end\n    B[0] = v")
try("a deep expression", inside
  "    local v = A[0]\n    for k = 1, 20000 do v = T.exp(v) end\n    B[0] = v")
try("a huge grid", (kernel:gsub("T.ceildiv%(N, BLOCK%)", "1 << 40")))
try("no threads", (kernel:gsub("BLOCK%)%)", "BLOCK), {threads = 1 << 30})")))
try("a huge tile", inside "    local x = T.alloc_shared({1 << 40}, T.float32)")
try("a long name", inside("    local " .. ("q"):rep(100000) .. " = T.alloc_shared({32}, T.float32)"))
try("tracing in a trace", inside "    f:compile {N = 100, BLOCK = 32}", {limits = long})

-- Texts.
try("10 MB", ("-- x\n"):rep(2000000))
try("1 MB", kernel .. ("-- x\n"):rep(200000))
try("parentheses", "x = " .. ("("):rep(100000))
try("tables", "x = " .. ("{"):rep(100000))
try("blocks", ("do "):rep(100000))
try("functions", ("x(function() "):rep(50000))
try("not not", "x = " .. ("not "):rep(100000) .. "1")
try("one long line", "x = 1" .. (" + 1"):rep(100000))
try("many locals", ("local x = 1\n"):rep(300))
try("names that are none", (kernel:gsub("f = tl", "x['a b'] = tl")))

-- An answer that is too large.
try("a long program", (inside [[
    local a_buffer_with_a_long_name = T.alloc_local({4}, T.float32)
    for k = 1, 110000 do a_buffer_with_a_long_name[k % 4] = 0.123456789 end]]), {limits = long})
