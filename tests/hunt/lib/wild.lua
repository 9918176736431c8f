-- wild.lua: programs that nobody should write: right ones, with some of their words exchanged.
--
-- What must hold: they compile, or they are refused with a line of their text and a code that is not that of
-- a bug of ours.  They are compiled and not run: nothing promises that they end.
local gen, printer = require "hunt.gen", require "hunt.print"
local Random = require "hunt.random"
local M = {}

local words = {
  "0", "1", "-1", "2", "3", "7", "1000000007", "2147483647", "-2147483648", "9223372036854775807", "0.5", "1e30", "nil", "true", "{}",
  "\"x\"", "\"float16\"", "\"int4\"", "\"float8_e4m3fn\"", "\"bool\"", "\"uint64\"", "T", "bx", "tx", "T.float32", "T.infinity(\"float32\")",
  "T.Parallel", "T.serial", "T.copy", "T.gemm", "T.reduce_sum", "T.cumsum", "T.alloc_fragment", "T.alloc_shared", "T.alloc_local",
  "T.alloc_var", "T.Pipelined", "T.unroll", "T.vectorized", "T.if_then_else", "T.atomic_add", "T.clear", "T.fill", "T.reshape", "T.view",
  "+", "-", "*", "/", "//", "%", "<<", ">>", "&", "|", "~", "<", "==", "and", "or", "not", ",", "(", ")", "{", "}", "[", "]", "=",
  "function() end", "end", "break", "return", "select", "float", "__syncthreads", "中",
}

local lines = {
  "T.sync_threads()", "break", "return", "goto continue", "do end", "local x = bx", "T.clear(bx)", "for z in T.Parallel(0) do end",
  "for z in T.Parallel(100000, 100000, 1000) do end", "for z in T.serial(10) do", "if bx > 0 then", "end", "while true do end",
  "local tx = T.get_thread_binding()", "if T.get_thread_binding() < 7 then", "T.ws(0)", "T.print(bx)", "T.device_assert(bx < 0)",
  "local select = T.alloc_shared({4, 4}, \"float32\")", "T.use_swizzle(3)", "local huge = T.alloc_shared({100000, 1000}, \"float32\")",
  "local huge = T.alloc_fragment({4096, 4096}, \"float32\")", "for z in T.Pipelined(3, {num_stages = 100}) do",
}

local function tokens(text)
  local list, at = {}, 1
  while at <= #text do
    local a, b = text:find("^%s+", at)
    if not a then a, b = text:find('^"[^"\n]*"', at) end
    if not a then a, b = text:find("^[%a_][%w_%.]*", at) end
    if not a then a, b = text:find("^%d[%w%.]*", at) end
    if not a then a, b = at, at end
    list[#list + 1] = text:sub(a, b)
    at = b + 1
  end
  return list
end

local function by_words(r, text)
  local list = tokens(text)
  local places = {}
  for i, w in ipairs(list) do if not w:find "^%s" and i > 8 then places[#places + 1] = i end end
  if #places == 0 then return text end
  for _ = 1, r:int(1, 3) do
    local i = r:of(places)
    local how = r:int(1, 4)
    if how == 1 then
      list[i] = r:of(words)
    elseif how == 2 then
      list[i] = list[r:of(places)]
    elseif how == 3 then
      local j = r:of(places)
      list[i], list[j] = list[j], list[i]
    else
      -- the same kind of word: more of these come past the reader
      local j = r:of(places)
      for _ = 1, 40 do
        if list[j]:sub(1, 1):match "%a" == list[i]:sub(1, 1):match "%a" and list[j]:find "^%w" then break end
        j = r:of(places)
      end
      list[i] = list[j]
    end
  end
  return table.concat(list)
end

local function by_lines(r, text)
  local list = {}
  for line in text:gmatch "[^\n]*\n" do list[#list + 1] = line end
  for _ = 1, r:int(1, 3) do
    local i, j = r:int(3, #list), r:int(3, #list)
    local how = r:int(1, 4)
    if how == 1 then
      table.remove(list, i)
    elseif how == 2 then
      table.insert(list, i, list[j])
    elseif how == 3 then
      list[i], list[j] = list[j], list[i]
    else
      table.insert(list, i, r:of(lines) .. "\n")
    end
    if #list < 4 then break end
  end
  return table.concat(list)
end

function M.text(seed)
  local r = Random.new(seed)
  local program = gen.program(seed, r:of {"all", "all", "thread", "tile", "pipe", "gemm"}, {statements = 4})
  local text = printer.chunk(program)
  if r:chance(0.6) then text = by_words(r, text) end
  if r:chance(0.5) then text = by_lines(r, text) end
  return text, program
end

-- What is wrong with how a text was refused, or nothing.
local function complaint(text, program, target, tensor)
  local ok, why = pcall(function()
    local chunk, wrong = load(text, "=wild")
    if not chunk then error(wrong, 0) end
    local kernel = chunk(target)
    local args = {}
    for i, name in ipairs(program.params) do args[i] = tensor(program, name) end
    kernel:compile(table.unpack(args))
  end)
  if ok then return nil end
  why = tostring(why)
  if why:find("[E999]", 1, true) then return "E999", why end
  if why:find("[E001]", 1, true) and not why:find "attempt to" then return nil end
  if not why:find "wild:%d+" and not why:find("lib/wild.lua", 1, true) then return "no line", why end
  return nil
end

function M.run(options, announce)
  local judge = require "hunt.judge"
  local targets = {}
  for t in options.targets:gmatch "[^,]+" do
    if t ~= "cpu" then targets[#targets + 1] = "sim -arch=" .. t end
  end
  local found, seen = 0, {}
  for seed = options.seed, options.seed + options.count - 1 do
    local text, program = M.text(seed)
    local target = targets[seed % #targets + 1]
    announce(seed .. " " .. target)
    local kind, why = complaint(text, program, target, judge.tensor)
    if kind then
      found = found + 1
      local head = why:match "[^\n]*":gsub("%d+", "#"):gsub("`[^`]*`", "`")
      if not seen[head] then
        seen[head] = true
        print(("seed %d, %s: %s: %s"):format(seed, target, kind, (why:match "[^\n]*")))
        if options.out then
          local f = assert(io.open(("%s/wild-%d.lua"):format(options.out, seed), "w"))
          f:write("-- seed ", seed, ", profile wild, ", target, ": ", kind, "\n-- ", (why:gsub("\n", "\n-- ")), "\n", text)
          f:close()
        end
      end
    end
  end
  print(("seeds %d to %d: %d programs, %d findings"):format(options.seed, options.seed + options.count - 1, options.count, found))
  return found
end

return M
