-- tl/traceread.lua: what the simulator recorded of a block (targets/sim/trace.c says
-- how it is written), as tables: read(text) ->
--
--   machine, card, ghz, warp, threads, blocks, l2, latency, lanes, assumed, guessed, alone
--   grid {x, y, z}, ctas {[n] = {x, y, z}}: the blocks of the cluster
--   roles {{lo, hi, name}, ..} threads; units {[n] = {memory, shared, matrix}} cycles taken
--   ends {[n] = cycles}, cut (first cycle that there was no room for)
--   events {{kind, letter, from, to, cta, w0, w1, file, line, loops = {{loop, value}, ..},
--     count, buffer, stage, phase, bytes, flops, busy, stall, by, queue, what}, ..}
-- A loop is {file, line, name}, the same table for all its rounds.

local M = {}

-- Kinds of events by their letter; those of units come last.
local kinds = {c = "compute", l = "load", s = "store", i = "copy", m = "matrix", a = "arrive",
  w = "wait", g = "wait", p = "wait", b = "barrier", G = "flight", M = "product"}

local function none(s)
  return s ~= "-" and s or nil
end

local function int(s)
  return math.tointeger(tonumber(s))
end

local function known(s)
  local n = int(s)
  return n >= 0 and n or nil
end

local readers = {}

function readers.machine(t, words)
  t.machine = words[1]
  for i = 2, #words, 2 do
    t[words[i]] = int(words[i + 1])
  end
  t.assumed, t.guessed = t.assumed == 1, t.guessed == 1
end

function readers.card(t, words)
  t.card, t.ghz = words[1], tonumber(words[2])
end

function readers.alone(t, words)
  t.alone = words[1] == "1"
end

function readers.grid(t, words)
  t.grid = {int(words[1]), int(words[2]), int(words[3])}
end

function readers.block(t, words)
  t.ctas[int(words[1])] = {int(words[2]), int(words[3]), int(words[4])}
end

function readers.role(t, words)
  t.roles[#t.roles + 1] = {lo = int(words[1]), hi = int(words[2]), name = none(words[3])}
end

function readers.file(t, words, line)
  t.files[words[1]] = line:match "^file %d+ (.*)$"
end

function readers.loop(t, words)
  t.loops[words[1]] = {file = t.files[words[2]], line = int(words[3]), name = none(words[4])}
end

function readers.frame(t, words)
  local f = {}
  for i = 2, #words do
    local loop, v = words[i]:match "^(%d+)=(-?%d+)$"
    f[#f + 1] = {loop = t.loops[loop], value = int(v)}
  end
  t.frames[words[1]] = f
end

function readers.unit(t, words)
  local cta = int(words[1])
  t.units[cta] = t.units[cta] or {}
  t.units[cta][words[2]] = int(words[3])
end

readers["end"] = function(t, words)
  t.ends[int(words[1])] = int(words[2])
end

function readers.cut(t, words)
  t.cut = int(words[1])
end

-- Events are many: one pattern for all their words.
local number, word = " (%-?%d+)", " (%S+)"
local event = "\ne (%a)" .. number:rep(9) .. word .. number:rep(8) .. word .. word

local function events(t, text)
  local list, n = {}, 0
  for letter, from, to, cta, w0, w1, file, line, frame, count, buffer, stage, phase, bytes, flops,
    busy, stall, byfile, byline, queue, what in text:gmatch(event) do
    n = n + 1
    list[n] = {letter = letter, kind = kinds[letter], from = int(from), to = int(to),
      cta = int(cta), w0 = int(w0), w1 = int(w1), file = t.files[file], line = int(line),
      loops = t.frames[frame], count = int(count), buffer = none(buffer), stage = known(stage),
      phase = known(phase), bytes = int(bytes), flops = int(flops), busy = int(busy),
      stall = int(stall), byfile = t.files[byfile], by = byline ~= "0" and int(byline) or nil,
      queue = none(queue), what = none(what)}
  end
  t.events = list
end

function M.read(text)
  local t = {ctas = {}, roles = {}, files = {}, loops = {}, frames = {["0"] = {}}, units = {},
    ends = {}}
  for line in text:gmatch "[^\n]+" do
    local name, rest = line:match "^(%S+) ?(.*)$"
    if readers[name] then
      local words = {}
      for w in rest:gmatch "%S+" do
        words[#words + 1] = w
      end
      readers[name](t, words, line)
    end
  end
  events(t, text)
  return t
end

return M
