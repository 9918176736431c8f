-- The watch mode judges every file that was saved, whenever its save falls, and shows last what was
-- saved last: with a clock, a notifier and a screen of this test's own, so that a save falls where it
-- is told to: before, behind or within any step of the loop.
local now, live, texts, odd, hooks, trail = 0, {}, {}, {}, {}, {}

local puzzles = {}
for i, name in ipairs {"a", "b", "c", "d"} do
  puzzles[i] = {name = name, file = name .. ".lua", number = i}
end

-- The file is written: all notifiers that are open then know of it.
local function save(name)
  texts[name] = (texts[name] or "") .. "."
  for n in pairs(live) do
    table.insert(n.events, n.number[name])
  end
end

-- Does once what shall fall into step `what`.
local function at(what)
  local h = hooks[what]
  hooks[what] = nil
  for _, name in ipairs(h or {}) do
    save(name)
  end
  if h and h.run then
    h.run()
  end
end

local function notify(...)
  local n = {events = {}, number = {}}
  for i, path in ipairs {...} do
    n.number[path:match "%a+"] = i
  end
  function n.changed()
    local list = n.events
    n.events = {}
    at "looked"
    return #list > 0 and list or false
  end
  function n.fd() return 1 end
  function n.close() live[n] = nil; at "closed" end
  live[n] = true
  at "opened"
  return n
end

local term = require "moontile.term"
term.clock = function() return now end
term.notify = notify
package.loaded["moontile.screen"] = {
  late = function() end, size = function() return 80, 24 end,
  run = function(f) return pcall(f) end,
  wait = function(left)
    at "waiting"
    for n in pairs(live) do
      if #n.events > 0 then
        return "file"
      end
    end
    if now > 60 then
      return "key", "q"
    end
    now = now + left
    return "time"
  end,
}
package.loaded["moontile.puzzles.course.view"] = {
  open = function() end, close = function() end,
  new = function() return setmetatable({}, {__index = function() return function() end end}) end,
}
package.loaded["moontile.puzzles.course.show"] = {
  bar = function() return "" end, title = function(p) return p.name end, level = function() return "" end,
  paint = function(s) return s end,
}
package.loaded["moontile.puzzles.judge"] = {
  judge = function(p, job)
    at("judging " .. p.name)
    job.report {stage = "visible"}
    trail[#trail + 1] = p.name .. (job.unreadable or "")
    return {ok = false}
  end,
}
local watch = require "moontile.puzzles.course.watch"

local folder = {
  course = {puzzles = puzzles},
  progress = setmetatable({state = {read = {}, solution = {}}}, {__index = function(_, what)
    return function(_, name)
      at(what .. " " .. tostring(name))
      return true
    end
  end}),
  path = function(_, p) return p.file end,
  file = function(_, p) return p.file end,
  text = function(_, p) return texts[p.name], odd[p.name] end,
  solution = function(_, p) return {unreadable = odd[p.name] and odd[p.name].en} end,
  begun = function() return false end, is_done = function() return false end,
  next = function() end, current = function() return puzzles[1] end,
}

-- Runs the watch mode on puzzle a; what is judged, in this order.
local function try(what, steps)
  now, live, trail, hooks = 0, {}, {}, steps
  for _, p in ipairs(puzzles) do
    texts[p.name] = p.name
  end
  local out = io.stdout
  io.stdout = setmetatable({}, {__index = function() return function() end end})
  watch.run(folder, {})
  io.stdout = out
  print(what, table.concat(trail, " "))
end

try("one", {waiting = {"b"}})
try("together", {waiting = {"b", "c", "d"}})
try("turning", {waiting = {"b"}, ["go b"] = {"c", "d"}})
try("behind the close", {waiting = {"b"}, closed = {"c"}})
try("before the close", {waiting = {"b"}, opened = {"c"}, ["go b"] = {"d"}})
try("while looking", {waiting = {"b"}, looked = {"c"}})
try("while judging", {waiting = {"b"}, ["judging b"] = {"c", "d"}})
try("its own again", {waiting = {"b"}, ["judging b"] = {"b"}})
try("its own last", {waiting = {"b", "c", "a"}})
try("its own first", {waiting = {"a", "b"}})
try("its own twice", {waiting = {"a", "b", "a"}})
try("each in its turn", {waiting = {"b"}, ["go b"] = {"c"}, ["go c"] = {"d"}, ["go d"] = {"a"}})

-- What is no plain file, in place of one that was deleted: nothing tells of it but a look.
try("a pipe", {waiting = {run = function()
  texts.a = nil
  hooks.waiting = {run = function()
    now, odd.a = now + 9, {en = " is a pipe"}
    hooks.waiting = {run = function()
      now = now + 9
    end}
  end}
end}})
