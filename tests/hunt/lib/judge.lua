-- judge.lua: a generated program on a target, against the interpreter.
--
-- A verdict is {kind = "right"} or {kind = "wrong" | "error" | "refused", code = , text = }.
local interp = require "hunt.interp"
local print_program = require "hunt.print"
local M = {}

local function flat(t, out)
  if type(t) == "table" then
    for _, v in ipairs(t) do flat(v, out) end
  else
    out[#out + 1] = t
  end
  return out
end

local function tensor(list, b)
  local t = {}
  for i, v in ipairs(list) do t[i] = v end
  local p = 0
  local function go(d)
    local row = {}
    for i = 1, b.shape[d] do
      if d == #b.shape then
        p = p + 1
        row[i] = t[p]
      else
        row[i] = go(d + 1)
      end
    end
    return row
  end
  return tl.from_table(go(1), b.dtype)
end

function M.tensor(program, name)
  return tensor(program.inputs[name], program.bufs[name])
end

-- What the interpreter makes of a program; nothing and why, when the program is not right.
function M.wanted(program)
  local ok, out = pcall(interp.run, program, 60000)
  if ok then return out end
  if type(out) == "table" and out.invalid then return nil, out.invalid end
  error(out, 0)
end

local function where(p, shape)
  local at = {}
  for d = #shape, 1, -1 do
    at[d] = p % shape[d]
    p = p // shape[d]
  end
  return table.concat(at, ", ")
end

-- The first difference, in words.
local function compare(name, got, want, b)
  local bad, first = 0, nil
  for i, w in ipairs(want) do
    local g = got[i]
    if g ~= w then
      bad = bad + 1
      first = first or ("%s[%s] is %s, wanted %s"):format(name, where(i - 1, b.shape), tostring(g), tostring(w))
    end
  end
  if #got ~= #want then return name .. " has another size" end
  return first and ("%s; %d of %d differ"):format(first, bad, #want)
end

-- A kernel whose roles a check of ours turned down runs right without them: here it is a finding.
local function without_roles(kernel)
  local text = require "moontile.tl.explain".text(kernel:analyze())
  return text:match "[^\n]*a check of the barriers between them could not be passed[^\n]*"
end

local function execute(program, target, wanted)
  local kernel = assert(load(print_program.chunk(program), "=program"))(target)
  local args, given = {}, {}
  for i, name in ipairs(program.params) do
    args[i] = M.tensor(program, name)
    given[name] = args[i]
  end
  local results = table.pack(kernel(table.unpack(args)))
  local why = target:find "sm_90a" and without_roles(kernel:compile(table.unpack(args)))
  if why then return why end
  local n = 0
  for _, name in ipairs(program.outputs) do
    local t = given[name]
    if not t then
      n = n + 1
      t = results[n]
    end
    local b = program.bufs[name]
    local difference = compare(name, flat(t:totable(), {}), wanted[name], b)
    if difference then return difference end
  end
end

-- What some of the threads cannot do by themselves, which the contract says and the messages tell the way out of:
-- E529: read a fragment that a product has spread over all of them; E557: wait for each other where the machine has no
-- barrier for a part of a block.
local refused = {E529 = true, E557 = true}

-- E537, no room in shared memory, is a fair answer where the program's own tiles leave less than a third of the
-- smallest machine's: the compiler needs some for itself.
local function crowded(program)
  local bits = 0
  for _, b in pairs(program.bufs) do
    if b.scope == "shared" and not b.root then
      local n = tonumber(b.dtype:match "%d+$") or 8
      for _, m in ipairs(b.shape) do n = n * m end
      bits = bits + n
    end
  end
  return bits / 8 > 65536 * 2 / 3
end

function M.run(program, target, wanted)
  local ok, difference = pcall(execute, program, target, wanted)
  if not ok then
    local text = tostring(difference)
    local code = text:match "%[(E%d+)%]" or "?"
    local fair = program.ranged and refused[code] or code == "E537" and crowded(program)
    local kind = fair and "refused" or "error"
    return {kind = kind, code = code, text = text, target = target}
  elseif difference then
    return {kind = "wrong", code = "wrong", text = difference, target = target}
  end
  return {kind = "right"}
end

-- Two verdicts of one cause, as far as one can see from outside.
function M.alike(a, b)
  if a.kind ~= b.kind or a.code ~= b.code then return false end
  if a.kind == "wrong" then return true end
  local function head(v) return (v.text:match "%]:([^\n]*)" or v.text):gsub("[%w_]*%d+", "#"):gsub("`[^`]*`", "`") end
  return head(a) == head(b)
end

return M
