-- The messages whole, in both languages.
local lib = dofile "lib/try.lua"

for _, lang in ipairs {"en", "zh"} do
  local function show(text, opts)
    opts = opts or {}
    opts.lang = lang
    local _, r = lib.outcome(text, opts)
    print((r.error or r.results[1].error).text)
  end
  show(lib.kernel .. "print(os.clock())")
  show(lib.kernel .. "T.copy = nil")
  show "\27Lua"
  show((" "):rep(1 << 21))
  show(lib.kernel .. "while true do end")
  show(lib.kernel .. "while true do end", {limits = {seconds = 0.1, instructions = 1 << 50}})
  show(lib.kernel .. "local s = ('x'):rep(1 << 30)")
  show(lib.kernel, {traces = {{kernel = "row_sum"}}})
  show((lib.kernel:gsub("f =", "row_sums =")), {traces = {{kernel = "row_sum"}}})
  show "x = 1"
  local _, r = lib.outcome(lib.kernel .. "f(tl.ones {4}, {BLOCK = 4})\nprint(('x'):rep(20000))",
    {lang = lang})
  print(r.output:sub(1, 200))
  print(r.output:sub(-60))
end
