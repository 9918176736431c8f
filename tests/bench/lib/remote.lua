-- tests/bench/lib/remote.lua: what it costs that a device is behind a server, on loopback: a
-- small kernel beyond what it takes in a worker of this process, alone and among 16 clients,
-- and the rate at which tensors travel.
local o = ...

local kernel = [[
  local ir = require "moontile.ir"
  local twice = tl.jit(function(x)
    local n = T.dynamic "n"
    x: T.Tensor({n}, T.float32)
    local y = T.empty({n}, T.float32)
    for bx in T.Kernel(T.ceildiv(n, 128)) do
      for i in T.Parallel(128) do
        y[bx * 128 + i] = x[bx * 128 + i] * 2
      end
    end
    return y
  end)
]]

-- A call, and its result read: %d times, in milliseconds.
local calls = kernel .. [[
  local x = tl.arange(64, "float32")
  for _ = 1, 20 do local _ = twice(x)[3] end
  for _ = 1, %d do
    local from = ir.clock()
    local _ = twice(x)[3]
    print((ir.clock() - from) * 1e3)
  end
]]

-- 256 MiB there and back, and as many of a new tensor there, whose memory the kernel has yet to
-- find on both sides; six times, the first of which shows how fast the link is: GB/s.
local moves = kernel .. [[
  local add = tl.jit(function(x)
    local n = T.dynamic "n"
    x: T.Tensor({n}, T.float32)
    for bx in T.Kernel(1) do
      for i in T.Parallel(1) do
        x[i] = x[i] + 1
      end
    end
  end)
  add(tl.zeros({4}))
  local x = tl.rand({64 << 20})
  local gb = x:numel() * 4e-9
  local function clock(f, ...)
    local from = ir.clock()
    f(...)
    return gb / (ir.clock() - from)
  end
  for r = 1, 6 do
    x[0] = r
    local up = clock(add, x)
    local down = clock(function() return x[0] end)
    local new = clock(add, tl.rand({64 << 20}))
    collectgarbage()
    if r > 1 then print(up, down, new) end
  end
]]

local function script(text)
  local path = os.tmpname()
  local f <close> = assert(io.open(path, "w"))
  f:write(text)
  return path
end

-- Numbers that a run of a script prints: a list for each column.
local function numbers(p)
  local t = {}
  for line in p:lines() do
    local i = 0
    for n in line:gmatch "%S+" do
      i = i + 1
      t[i] = t[i] or {}
      table.insert(t[i], tonumber(n))
    end
  end
  return t
end

local function start(target, path)
  return io.popen(("'%s' -t '%s' '%s'"):format(o.moontile, target, path))
end

local function quantile(t, q)
  table.sort(t)
  return t[math.max(1, math.ceil(#t * q))]
end

-- f(target) while a server runs.
local function with_server(f)
  local p <close> = io.popen(("exec '%s' --lang en serve --port 0 --sessions 32 --memory 8G " ..
    "--log /dev/null & echo $!; wait"):format(o.moontile))
  local pid = p:read "l"
  local url
  repeat
    local line = p:read "l"
    url = line and line:match "listening on (%S+)"
  until url or not line
  local ok, e = pcall(f, "remote -url=" .. url .. " -on=cpu")
  os.execute("kill " .. pid)
  if not ok then
    error(e, 0)
  end
end

local function trips()
  local path = script(calls:format(1000))
  with_server(function(there)
    local here <close> = start("cpu", path)
    local base = o.median(numbers(here)[1])
    local p <close> = start(there, path)
    local t = numbers(p)[1]
    o.row("a small kernel through a server, beyond a worker", o.median(t) - base, "ms", "<", 1,
      ("99th percentile %.2g ms; a worker here %.2g ms"):format(quantile(t, 0.99), base))
  end)
  os.remove(path)
end

-- Sixteen at once, without a pause between their calls: the times of all.
local function sixteen(target, path)
  local list, all = {}, {}
  for i = 1, 16 do
    list[i] = start(target, path)
  end
  for _, p in ipairs(list) do
    local t = numbers(p)[1]
    table.move(t, 1, #t, #all + 1, all)
    p:close()
  end
  return all
end

-- Clients, server and workers share the processors, which are never idle: what of the time is
-- the machine's shows with sixteen who need no server.
local function crowd()
  local path = script(calls:format(400))
  with_server(function(there)
    local here, t = {}, {}
    for _ = 1, 2 do -- in turns
      for list, target in pairs {[here] = "cpu", [t] = there} do
        local some = sixteen(target, path)
        table.move(some, 1, #some, #list + 1, list)
      end
    end
    local base = quantile(here, 0.99)
    o.row("the same with 16 clients, 99th percentile", quantile(t, 0.99) - base, "ms", "<", 5,
      ("%.2g ms in all, 16 workers here %.2g ms; medians %.2g and %.2g ms"):format(
        quantile(t, 0.99), base, o.median(t), o.median(here)))
  end)
  os.remove(path)
end

local function rates()
  local path = script(moves)
  with_server(function(there)
    local p <close> = start(there, path)
    local t = numbers(p)
    o.row("256 MiB to a server", o.median(t[1]), "GB/s", ">", 1,
      ("a new tensor %.2g GB/s"):format(o.median(t[3])))
    o.row("256 MiB from a server", o.median(t[2]), "GB/s", ">", 1)
  end)
  os.remove(path)
end

-- 64 clients and 10,000 requests of every kind, with workers and whole sessions killed at random
-- and peers that never finish what they say: tests/unit/serve_crowd.c, which ends with an error
-- when a session was lost untold, an answer was wrong or the server did not end in order.
local function siege()
  local crowd = o.moontile:gsub("moontile$", "tests/unit/serve_crowd")
  local p = io.popen(("'%s' 64 10000"):format(crowd))
  local text = p:read "a"
  local ok = p:close()
  local told, wrong = text:match "(%d+) told of deaths, (%d+) wrong"
  o.row("64 clients, 10,000 requests, workers killed", ok and tonumber(wrong) or 1 / 0, "wrong", "<",
    0, ("%s s; %s deaths, all told"):format(text:match "in ([%d.]+) s" or "?", told or "?"))
end

return {{"remote", siege}, {"remote", trips}, {"remote", crowd}, {"remote", rates}}
