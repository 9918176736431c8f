-- yaml.lua: the YAML that suites describe their operators in, as JSON: mappings and lists by indentation, flow lists
-- and mappings, comments, quoted and plain scalars.

local M = {}

-- A line without its comment, which begins at a # behind a blank outside of quotes; does its value go on?
local function uncommented(line)
  local quote, depth = nil, 0
  for i = 1, #line do
    local c = line:sub(i, i)
    if quote then
      quote = c ~= quote and quote or nil
    elseif c == '"' or c == "'" then
      quote = c
    elseif c == "#" and (i == 1 or line:sub(i - 1, i - 1):find "%s") then
      return line:sub(1, i - 1), depth > 0
    else
      depth = depth + (c:find "[%[{]" and 1 or c:find "[%]}]" and -1 or 0)
    end
  end
  return line, depth > 0 or quote ~= nil
end

local function quoted(s)
  return '"' .. s:gsub('[\\"]', "\\%0"):gsub("\t", "\\t") .. '"'
end

local plain = {null = "null", ["~"] = "null", [""] = "null", ["true"] = "true", ["false"] = "false"}

local function scalar(s)
  local inner = s:match "^'(.*)'$"
  if inner then
    return quoted((inner:gsub("''", "'")))
  elseif s:find '^"' then
    return s
  elseif plain[s] then
    return plain[s]
  end
  local n = tonumber(s)
  return n and s:find "^-?%d+%.?%d*$" and s or n and s:find "^[-+.%deE]+$" and ("%.17g"):format(n) or quoted(s)
end

-- A flow value that begins at i: its JSON, and where what follows begins.
local function flow(s, i)
  i = s:find("%S", i) or #s + 1
  local c = s:sub(i, i)
  if c == "[" or c == "{" then
    local close, parts = c == "[" and "]" or "}", {}
    i = s:find("%S", i + 1)
    while s:sub(i, i) ~= close do
      local value
      value, i = flow(s, i)
      i = assert(s:find("%S", i), s)
      if c == "{" then
        assert(s:sub(i, i) == ":", s)
        local key = value:find '^"' and value or quoted(value)
        value, i = flow(s, i + 1)
        value = key .. ":" .. value
        i = assert(s:find("%S", i), s)
      end
      parts[#parts + 1] = value
      if s:sub(i, i) == "," then
        i = s:find("%S", i + 1)
      end
    end
    return c .. table.concat(parts, ",") .. close, i + 1
  elseif c == '"' or c == "'" then
    local stop = s:find(c, i + 1, true)
    while c == '"' and s:sub(stop - 1, stop - 1) == "\\" do
      stop = s:find(c, stop + 1, true)
    end
    return scalar(s:sub(i, stop)), stop + 1
  end
  local stop = s:find("[,%]}]", i) or #s + 1
  local colon = s:find(":%s", i)
  stop = colon and colon < stop and colon or stop
  return scalar((s:sub(i, stop - 1):gsub("%s+$", ""))), stop
end

local function value(s)
  return s:find "^[%[{]" and flow(s, 1) or scalar(s)
end

-- key and what follows it, or nil
local function pair(s)
  local key, rest = s:match "^([%w_.%-]+):%s+(.*)$"
  return key or s:match "^([%w_.%-]+):$", rest or ""
end

-- Lines from k on that are indented by at least `indent`: their JSON, and the line behind them.
local function block(lines, k, indent)
  local parts = {}
  local list = lines[k].text:find "^%- " ~= nil
  while lines[k] and lines[k].indent == indent and list == (lines[k].text:find "^%- " ~= nil) do
    local text, v = lines[k].text, nil
    if list then
      local inner = text:match "^%-%s+(.*)$"
      if pair(inner) and not inner:find '^["\'{%[]' then -- a mapping that begins in the item's line
        local by = #text - #inner
        lines[k] = {indent = indent + by, text = inner}
        v, k = block(lines, k, indent + by)
      else
        v, k = value(inner), k + 1
      end
      parts[#parts + 1] = v
    else
      local key, rest = pair(text)
      assert(key, text)
      k = k + 1
      local next_one = lines[k]
      if rest ~= "" then
        v = value(rest)
      elseif next_one and (next_one.indent > indent or next_one.indent == indent and next_one.text:find "^%- ") then
        v, k = block(lines, k, next_one.indent)
      else
        v = "null"
      end
      parts[#parts + 1] = quoted(key) .. ":" .. v
    end
  end
  return list and "[" .. table.concat(parts, ",") .. "]" or "{" .. table.concat(parts, ",") .. "}", k
end

function M.json(text)
  local lines, begun = {}, ""
  for line in text:gmatch "[^\n]+" do
    local open
    line, open = uncommented(begun .. (begun ~= "" and line:gsub("^%s+", " ") or line))
    line = line:gsub("%s+$", "")
    begun = open and line or ""
    if begun == "" and line:find "%S" then
      lines[#lines + 1] = {indent = #line:match "^ *", text = line:match "^ *(.*)$"}
    end
  end
  local v, k = block(lines, 1, lines[1].indent)
  assert(not lines[k], lines[k] and lines[k].text)
  return v
end

return M
