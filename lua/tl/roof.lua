-- tl/roof.lua: how fast a device can be: what was measured on it where there is a
-- measurement, else its data sheet.

local M = {}

-- "4270 GB/s", "4.27 TB/s" -> bytes a second
local function rate(text)
  local n, unit = text:match "([%d.]+)%s*([MGT]B/s)"
  local scale = {["MB/s"] = 1e6, ["GB/s"] = 1e9, ["TB/s"] = 1e12}
  n = n and tonumber(n)
  return n and n > 0 and n * scale[unit] or nil
end

-- Facts of a session's device by name, as s:describe() has them.
function M.facts(session)
  local t = {}
  for _, pair in ipairs(session:describe()) do
    t[pair[1]] = pair[2]
  end
  return t
end

-- Name of the device for people and for keys: the GPU's, the machine's, or the target's.
function M.name(facts)
  return facts.GPU or facts.machine or facts.processor or facts.target
end

-- Bytes of the cache that a benchmark must outgrow.
function M.cache(facts)
  local text = facts["L2 cache"] or facts["last-level cache"] or ""
  local n, unit = text:match "([%d.]+)%s*([KMG])i?B"
  local scale = {K = 1024, M = 1 << 20, G = 1 << 30}
  return n and tonumber(n) * scale[unit] or 64 << 20
end

-- facts: of the device; card: of k:analyze, or nil; peak: 1e12 operations a second by
-- the data sheet, or nil -> {flops, bytes (a second; nil: not known), flops_by, bytes_by:
-- "sheet" or "measured"}
function M.roofs(facts, card, peak)
  local r = {}
  r.bytes = facts.copy and rate(facts.copy) or facts.read and rate(facts.read)
  r.bytes_by = r.bytes and "measured"
  if not r.bytes and card and card.gbs > 0 then
    r.bytes, r.bytes_by = card.gbs * 1e9, "sheet"
  end
  if peak and peak > 0 then
    r.flops, r.flops_by = peak * 1e12, "sheet"
  end
  return r
end

return M
