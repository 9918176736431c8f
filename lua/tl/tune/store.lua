-- tl/tune/store.lua: results of tuning, kept between runs: one JSON object a line in
-- <cache>/tuned/results.jsonl, to be read by people too.
--
-- A line: {"version", "key" (of kernel, sizes, candidates and device), "kernel",
-- "tensors", "device", "target", "config" (its text), "ms", "tried", "failed",
-- "date"}.  The last line of a key counts.  Lines of another version stay as they are.  Lines that
-- do not read are left alone until a result is kept; then they go.

local disk = require "moontile.files"
local jobs = require "moontile.jobs"
local json = require "moontile.tl.json"

local M = {version = 1}

local function path()
  local folder, why = jobs.folder "tuned"
  if not folder then
    return nil, why
  end
  return folder .. "/results.jsonl"
end
M.path = path

local function sound(r)
  return type(r) == "table" and r.version == M.version and type(r.key) == "string" and
    type(r.config) == "string" and math.type(r.ms) ~= nil
end

-- -> records in the order of the file, and the lines of other versions; or nil and why not, where there is a
-- file that cannot be read
local function read()
  local list, others = {}, {}
  local name = path()
  local text, why, none = "", nil, nil
  if name then
    text, why, none = disk.read(name)
  end
  if not text and not none then
    return nil, why
  end
  for line in (text or ""):gmatch "[^\n]+" do
    local r = json.decode(line)
    if sound(r) then
      list[#list + 1] = r
    elseif type(r) == "table" and math.type(r.version) and r.version ~= M.version then
      others[#others + 1] = line
    end
  end
  return list, others
end

-- The key of what is tuned: texts that say all that the choice depends on.
function M.key(...)
  return jobs.hash(table.concat({tostring(M.version), ...}, "\0"))
end

-- The record of a key, or nil.
function M.find(key)
  local found
  for _, r in ipairs(read() or {}) do
    if r.key == key then
      found = r
    end
  end
  return found
end

local function latest(records)
  local last, list = {}, {}
  for i, r in ipairs(records) do
    last[r.key] = i
  end
  for i, r in ipairs(records) do
    if last[r.key] == i then
      list[#list + 1] = r
    end
  end
  return list
end

-- All records, the last of each key.
function M.all()
  return latest(read() or {})
end

local function replace(name, record)
  local records, lines = read()
  if not records then
    return nil, lines
  end
  for _, r in ipairs(latest(records)) do
    if r.key ~= record.key then
      lines[#lines + 1] = json.encode(r)
    end
  end
  lines[#lines + 1] = json.encode(record)
  return disk.write(name, table.concat(lines, "\n") .. "\n")
end

-- What processes that were killed have left; nobody else writes now.
local function clean(name)
  local folder, file = name:match "^(.*)/(.*)$"
  for _, n in ipairs(disk.list(folder, file .. ".") or {}) do
    if n ~= file .. ".lock" then
      os.remove(folder .. "/" .. n)
    end
  end
end

-- Keeps a record in place of others of its key.  Two processes that keep something at one
-- moment do so one after the other, or one would write the file without the other's.
-- -> true, or nil and why not
function M.keep(record)
  record.version, record.date = M.version, os.date "!%Y-%m-%dT%H:%M:%SZ"
  local name, why = path()
  if not name then
    return nil, why
  end
  return jobs.locked(name .. ".lock", function()
    clean(name)
    return replace(name, record)
  end)
end

return M
