-- A read of contents that are lost fails where it stands, in the coroutine that reads.
local device = require "moontile.tl.device"
local target = "cpu -devcopy"

local inc = tl.jit(function(A)
  local N = T.const "N"
  A: T.Tensor({N}, "int32")
  for bx in T.Kernel(T.ceildiv(N, 256), {threads = 128}) do
    for i in T.Parallel(256) do
      A[bx * 256 + i] = A[bx * 256 + i] + 1
    end
  end
end, {target = target})

local function lost()
  local t = tl.zeros({8}, "int32")
  inc(t)
  os.execute("kill -9 " .. device.session(target):pid())
  return t
end

-- What comes is printed without what differs from run to run.
local function say(what, ok, e, ...)
  print("--", what, ok, ok and e or tostring(e):match "^[^\n]*\n[^\n]*", ...)
end

local co = coroutine.create(function()
  local v = lost()[0]
  print("not reached", v)
end)
say("resume", coroutine.resume(co))
print(coroutine.status(co))

say("caught inside", coroutine.resume(coroutine.create(function()
  say("pcall", pcall(function() return lost()[0] end))
  coroutine.yield(1)
  return "goes on"
end)))

say("wrap", pcall(coroutine.wrap(function()
  return lost()[0]
end)))

local function nested(depth)
  if depth == 0 then
    return lost()[0]
  end
  return coroutine.wrap(nested)(depth - 1)
end
say("nested", pcall(nested, 3))

-- No Lua code of its own: whoever resumed it fails.
local t = lost()
say("only C", pcall(function()
  local v = coroutine.wrap(t.item)(t, 0)
  return v
end))

-- A generator that reads between two values
local gen = coroutine.wrap(function(x)
  coroutine.yield(1)
  coroutine.yield(x[0])
end)
local u = tl.zeros({8}, "int32")
inc(u)
print(gen(u))
os.execute("kill -9 " .. device.session(target):pid())
say("generator", pcall(gen))

-- Closing a coroutine, whose handler reads
local w = lost()
local held = coroutine.create(function()
  local x <close> = setmetatable({}, {__close = function() return w[0] end})
  coroutine.yield()
end)
coroutine.resume(held)
say("close", pcall(function()
  local ok = coroutine.close(held)
  return ok
end))
print("the end", tl.ones({2})[1])
