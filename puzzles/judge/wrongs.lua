-- judge/wrongs.lua: the wrong solutions of a puzzle, wrong/NAME.lua or wrong/NAME.diff.
--
--   wrongs.list(p) -> {{file =, expect =, part =, target =, text = | why =}, ..}
--
-- A .lua file is a whole solution whose comments say what is expected of it:
--
--   -- expect: wrong visible
--   -- part: roles
--
-- A .diff says what is different from solution.lua; so it shows the mistake and nothing else:
--
--   expect: hang
--   part: roles
--   The barriers are made for 256 arrivals; 128 come.
--   @@
--   -    local full = T.alloc_barrier {128, 128, 128}
--   +    local full = T.alloc_barrier {256, 256, 256}
--
-- Each @@ begins a change: lines that go (-), that come (+) and that stay ( ).  What goes and stays
-- must be in the solution exactly once: in the kernel of the part, if one is named.
-- expect, part, target: the words of these headers, or nil.  why: what is wrong with a .diff, in place of the text.

local M = {}

local Keys = {"expect", "part", "target"}

local function lines_of(text)
  local list = {}
  for line in (text:gsub("\n$", "") .. "\n"):gmatch "([^\n]*)\n" do
    list[#list + 1] = line
  end
  return list
end

-- The lines `from` to `to` of the kernel that a part names; nil: there is none.
local function kernel(lines, part)
  for from, line in ipairs(lines) do
    if line:sub(1, #part) == part and not line:find("^[%w_]", #part + 1) then
      for to = from, #lines do
        if lines[to]:find "^end%)?$" then
          return from, to
        end
      end
    end
  end
end

-- The changes of a diff: {{old = lines, new = lines}, ..}; nil and why.
local function changes(lines)
  local list, c = {}, nil
  for i, line in ipairs(lines) do
    local mark, rest = line:sub(1, 1), line:sub(2)
    if line == "@@" then
      c = {old = {}, new = {}}
      list[#list + 1] = c
    elseif c and not (mark == "-" or mark == "+" or mark == " " or mark == "") then
      return nil, ("line %d begins with none of -, + and blank"):format(i)
    elseif c then
      c.old[#c.old + 1] = mark ~= "+" and rest or nil
      c.new[#c.new + 1] = mark ~= "-" and rest or nil
    end
  end
  return list
end

-- Do the lines `old` stand at `at`?
local function stands(lines, at, old)
  for i = 1, #old do
    if lines[at + i - 1] ~= old[i] then
      return false
    end
  end
  return true
end

-- The one place among lines `from` to `to` where `old` stands; nil and how many there are.
local function place(lines, from, to, old)
  local found, n = nil, 0
  for at = from, #old > 0 and to - #old + 1 or 0 do
    if stands(lines, at, old) then
      found, n = at, n + 1
    end
  end
  return n == 1 and found or nil, n
end

-- What a diff makes of a solution; nil and why.
local function changed(solution, diff, part)
  local list, why = changes(lines_of(diff))
  if not list or #list == 0 then
    return nil, why or "there is no @@"
  end
  local lines, drop, put = lines_of(solution), {}, {}
  local from, to = 1, #lines
  if part then
    from, to = kernel(lines, part)
    if not from then
      return nil, ("solution.lua has no `%s =` in the first column"):format(part)
    end
  end
  for i, c in ipairs(list) do
    local at, n = place(lines, from, to, c.old)
    if not at then
      return nil, ("change %d: its old lines are in the solution %d times, not once"):format(i, n)
    end
    for k = at, at + #c.old - 1 do
      if drop[k] then
        return nil, ("change %d: line %d of the solution is in another one, too"):format(i, k)
      end
      drop[k] = true
    end
    put[at] = c.new
  end
  local out = {}
  for k, line in ipairs(lines) do
    table.move(put[k] or {}, 1, #(put[k] or {}), #out + 1, out)
    out[#out + 1] = not drop[k] and line or nil
  end
  return table.concat(out, "\n") .. "\n"
end

-- The words behind `key:` of a file's comments, or of a diff's lines before the first change.
local function header(text, key, isdiff)
  local head = "\n" .. text
  head = isdiff and head:match "^(.-\n)@@" or head
  return head:match((isdiff and "\n" or "%-%- ") .. key .. ":%s*([^\n]*)")
end

function M.list(p)
  local list = {}
  for _, file in ipairs(p.list "wrong") do
    local isdiff = file:find "%.diff$"
    if isdiff or file:find "%.lua$" then
      local w = {file = file, text = p.read("wrong/" .. file) or ""}
      for _, key in ipairs(Keys) do
        w[key] = header(w.text, key, isdiff)
      end
      if isdiff then
        w.text, w.why = changed(p.read "solution.lua" or "", w.text, w.part)
      end
      list[#list + 1] = w
    end
  end
  return list
end

return M
