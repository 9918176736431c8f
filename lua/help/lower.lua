-- help/lower.lua: what the example of a name becomes: its program, lowered for a
-- machine of threads, and of that the lines that come from the example's.

local device = require "moontile.tl.device"
local sample = require "moontile.T.sample"

local M = {}

-- First and last line of the example in its program.
local function place(program, example)
  local at = ("\n" .. program):find("\n" .. example, 1, true) -- not the same line, indented
  if not at then
    return nil
  end
  local first = select(2, program:sub(1, at - 1):gsub("\n", "")) + 1
  return first, first + select(2, example:gsub("\n", ""))
end

-- Lines of a thread program that stand at lines first..last of the source, less
-- their common indentation; long ones lose their positions, not their ends.
local function pick(listing, first, last)
  local lines, indent = {}, math.huge
  local inside, depth = false, 0
  for l in listing:gmatch "[^\n]+" do
    local n = math.tointeger(tonumber(l:match "@(%d+):?%d*$" or l:match "@(%d+):%d+%s*$"))
    local here = n and n >= first and n <= last
    if here then
      inside, depth = true, 0
      if l:find "%sdo @" or l:find "%sdo%s*$" then
        depth = #l:match "^ *"
      end
    elseif inside and not n and l:find "^%s*end%s*$" and #l:match "^ *" >= depth then
      here = true
    else
      inside = n == nil and inside
    end
    if here then
      l = l:gsub(" @%d+:?%d*$", "")
      lines[#lines + 1] = l
      indent = math.min(indent, #l:match "^ *")
    end
  end
  for i, l in ipairs(lines) do
    lines[i] = l:sub(indent + 1)
  end
  return lines
end

-- The kernel that f makes for two 64 x 64 float32 tensors, made for the machine; it
-- is not built, and the kernel that was last remains the last one.
local function make(f, spec)
  local kernel = require "moontile.tl.kernel"
  local emit, compile, last = device.emit, device.compile, kernel.last.kernel
  local default = device.default
  local _ <close> = setmetatable({}, {__close = function()
    device.emit, device.compile, device.default = emit, compile, default
    kernel.last.kernel = last
  end})
  device.emit, device.default = function() end, spec
  device.compile = function() return {source = "", emit_ms = 0, build_ms = 0} end
  return f:compile():ir "thread"
end

-- The example in the program, as deep as what stands before it.
local function indented(program, example)
  local at, last = ("\n" .. program):find("\n" .. example, 1, true)
  if not at then
    return program
  end
  last = last - 1
  local before = program:sub(1, at - 1):match "( *)[^\n]*\n$" or ""
  if program:sub(1, at - 1):find " do\n$" then
    before = before .. "  "
  end
  return program:sub(1, at - 1) .. before .. example:gsub("\n", "\n" .. before) ..
    program:sub(last + 1)
end

-- example(row of T) -> program, lines, machine; no lines where the example is no
-- part of a kernel or cannot be lowered for the machine.
function M.example(row)
  local text, is_kernel = sample.program(row)
  local first, last = place(text, row.example)
  local program = indented(text, row.example)
  if not (is_kernel and first) then
    return program
  end
  local chunk = load(text .. "\nreturn f", "=T." .. row.name)
  for _, spec in ipairs {"sim -arch=sm_80", "sim -arch=sm_90a"} do
    local ok, listing = pcall(function() return make(chunk(), spec) end)
    if ok then
      return program, pick(listing, first, last), spec:match "sm_%w+"
    end
  end
  return program
end

return M
