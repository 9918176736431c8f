-- tests/bench/lib/reader.lua: what a kernel costs before it is lowered, written in Python and in Lua, and how
-- long a large Python file takes to read.
local o = ...

local sizes = {B = 1, H = 8, HKV = 8, D = 64, causal = true, BM = 64, BN = 64, THREADS = 128, STAGES = 2}

local function text_of(path)
  local f <close> = assert(io.open(path))
  return f:read "a"
end

-- The attention of lua/examples/flash_attention.py, up to what tests it.
local function python_text()
  local text = text_of "lua/examples/flash_attention.py"
  return "import math\nimport tilelang\nimport tilelang.language as T\n\n" .. text:match "(@tilelang%.jit.-return O\n)"
end

-- Seconds from the text to the traced program of a length that nothing has traced before.
local length = 1024
local function read_and_trace(load_text)
  local start = os.clock()
  length = length + 1
  sizes.S = length
  load_text():get_tir(sizes)
  return os.clock() - start
end

local function forms()
  local dir = os.tmpname()
  os.remove(dir)
  assert(os.execute("mkdir -p '" .. dir .. "'"))
  local lua_text, text, files = o.attention_source(), python_text(), 0
  local in_lua = function() return assert(load(lua_text, "=attention"))() end
  local path
  local function new_file() -- a file that was read is not read again
    files = files + 1
    path = ("%s/attention%d.py"):format(dir, files)
    local f <close> = assert(io.open(path, "w"))
    f:write(text)
  end
  local in_python = function() return tl.python(path).attention end
  new_file()
  read_and_trace(in_lua)
  read_and_trace(in_python)
  local a, b, ratio = {}, {}, {}
  for i = 1, 41 do
    new_file()
    a[i], b[i] = read_and_trace(in_lua), read_and_trace(in_python)
    ratio[i] = b[i] / a[i]
  end
  os.execute("rm -rf '" .. dir .. "'")
  o.row("read and trace attention: Python beside Lua", o.median(ratio), "x", "<", 1.5,
    ("%.2f and %.2f ms"):format(o.median(b) * 1e3, o.median(a) * 1e3))
end

-- Functions of ten lines, none of which is called.
local function long_file()
  local name = os.tmpname()
  local path = name .. ".py"
  local f <close> = assert(io.open(path, "w"))
  for i = 1, 1000 do
    f:write(([[
def f%d(a, b=1, *rest, **named):
    total = a + b * %d
    names = [f"{k}={v:>4}" for k, v in named.items() if v is not None]
    for i, x in enumerate(rest):
        if 0 <= x < 10 and x not in (3, 5):
            total += x ** 2 // 3
        elif x:
            total -= -x %% 7
    return {"total": total, "names": names, "last": rest[-1] if rest else None}

]]):format(i, i))
  end
  f:flush()
  -- Milliseconds of the processor in a new process, whose memory is new too.
  local function cost(program)
    local times = {}
    for i = 1, 7 do
      local p <close> = io.popen(("'%s' -e 'local path = \"%s\" %s'"):format(o.moontile, path, program))
      times[i] = p:read "n" * 1e3
    end
    return o.median(times)
  end
  o.row("read a Python file of 10,000 lines", cost [[
    local f <close> = io.open(path)
    local text, reader = f:read "a", require "moontile.pyreader"
    local t = os.clock()
    assert(reader.translate(text, "@" .. path))
    print(os.clock() - t)]], "ms", "<", 100, "tokens, tree, translation")
  o.row("read and run a Python file of 10,000 lines", cost "local t = os.clock() tl.python(path) print(os.clock() - t)",
    "ms", "<", 100, "names of 1,000 functions made")
  os.remove(path)
  os.remove(name)
end

return {{"python", forms}, {"python", long_file}}
