-- diff.lua: how two texts differ, line by line.
--
--     diff.lines(a, b [, context])   hunks: a list of
--         {a =, an =, b =, bn =, {sign = " " | "-" | "+", text =, a =, b =}, ...}
--         a, b: numbers of the first lines in both texts (of a line: its own),
--         an, bn: how many lines of each; none when the texts are the same
--     diff.text(a, b [, opts])       the hunks as a unified diff, "" when the same
--         opts: old =, new = (what the texts are called), context = 3,
--         colour = false | true or the colours of a terminal (0, 4, 8, 24)
--     diff.first(a, b)               number and text of the first line of b that is
--         not as in a (of a, with a third value true, where lines only went)
--
-- Lines that stand once in either text are the fixed points; what lies between
-- them is compared by its shortest edit.

local M = {}

local Most = 300 -- edits that are looked for between two fixed points

local function split(text)
  local list = {}
  for line in (text:gsub("\n$", "") .. "\n"):gmatch("([^\n]*)\n") do
    list[#list + 1] = line
  end
  if text == "" then
    list[1] = nil
  end
  return list
end

-- Numbers of the lines of t[lo..hi] that stand there once.
local function once(t, lo, hi)
  local at = {}
  for i = lo, hi do
    at[t[i]] = at[t[i]] == nil and i or false
  end
  return at
end

-- Pairs {i, j} of fixed points between a[alo..ahi] and b[blo..bhi], rising in both:
-- the longest such series among the lines that are unique.
local function anchors(a, alo, ahi, b, blo, bhi)
  local ina, inb = once(a, alo, ahi), once(b, blo, bhi)
  local tails, before = {}, {} -- patience: piles, by their last pair
  for i = alo, ahi do
    local j = ina[a[i]] and inb[a[i]]
    if j then
      local lo, hi = 1, #tails + 1
      while lo < hi do
        local mid = (lo + hi) // 2
        if tails[mid][2] < j then lo = mid + 1 else hi = mid end
      end
      local pair = {i, j}
      before[pair] = tails[lo - 1]
      tails[lo] = pair
    end
  end
  local list, pair = {}, tails[#tails]
  while pair do
    table.insert(list, 1, pair)
    pair = before[pair]
  end
  return list
end

-- The pairs of equal lines on the way to x, y in d edits that `trail` remembers.
local function backtrack(trail, d, x, y, alo, blo)
  local same = {}
  for e = d, 0, -1 do
    local v, k = trail[e], x - y
    local down = k == -e or k ~= e and (v[k - 1] or -1) < (v[k + 1] or -1)
    local from = e == 0 and 0 or down and v[k + 1] or v[k - 1]
    local fy = e == 0 and 0 or from - (down and k + 1 or k - 1)
    local sx = e == 0 and 0 or down and from or from + 1
    while x > sx do
      x, y = x - 1, y - 1
      table.insert(same, 1, {alo + x, blo + y})
    end
    x, y = from, fy
  end
  return same
end

-- The shortest edit of a[alo..ahi] into b[blo..bhi] (Myers): how far each diagonal
-- gets with d edits, and back from the end.  Pairs of equal lines, or nil when it
-- takes too many.
local function shortest(a, alo, ahi, b, blo, bhi)
  local n, m = ahi - alo + 1, bhi - blo + 1
  local v, trail = {[1] = 0}, {}
  for d = 0, math.min(n + m, Most) do
    trail[d] = table.move(v, -d - 1, d + 1, -d - 1, {})
    for k = -d, d, 2 do
      local down = k == -d or k ~= d and (v[k - 1] or -1) < (v[k + 1] or -1)
      local x = down and v[k + 1] or v[k - 1] + 1
      while x < n and x - k < m and a[alo + x] == b[blo + x - k] do
        x = x + 1
      end
      v[k] = x
      if x >= n and x - k >= m then
        return backtrack(trail, d, n, m, alo, blo)
      end
    end
  end
  return nil
end

-- Adds the pairs of lines that stay, in order, to `out`.
local function match(a, alo, ahi, b, blo, bhi, out)
  while alo <= ahi and blo <= bhi and a[alo] == b[blo] do
    out[#out + 1] = {alo, blo}
    alo, blo = alo + 1, blo + 1
  end
  local tail = {}
  while alo <= ahi and blo <= bhi and a[ahi] == b[bhi] do
    tail[#tail + 1] = {ahi, bhi}
    ahi, bhi = ahi - 1, bhi - 1
  end
  if alo <= ahi and blo <= bhi then
    local fixed = anchors(a, alo, ahi, b, blo, bhi)
    if #fixed == 0 then
      fixed = shortest(a, alo, ahi, b, blo, bhi) or {}
      table.move(fixed, 1, #fixed, #out + 1, out)
    else
      fixed[#fixed + 1] = {ahi + 1, bhi + 1}
      for i, pair in ipairs(fixed) do
        match(a, alo, pair[1] - 1, b, blo, pair[2] - 1, out)
        out[#out + 1] = i < #fixed and pair or nil
        alo, blo = pair[1] + 1, pair[2] + 1
      end
    end
  end
  for i = #tail, 1, -1 do
    out[#out + 1] = tail[i]
  end
end

-- The whole edit as a list of {sign, text, a, b}.
local function script(a, b)
  local same, list = {}, {}
  match(a, 1, #a, b, 1, #b, same)
  same[#same + 1] = {#a + 1, #b + 1}
  local i, j = 1, 1
  for _, pair in ipairs(same) do
    for k = i, pair[1] - 1 do
      list[#list + 1] = {sign = "-", text = a[k], a = k, b = j}
    end
    for k = j, pair[2] - 1 do
      list[#list + 1] = {sign = "+", text = b[k], a = pair[1], b = k}
    end
    i, j = pair[1] + 1, pair[2] + 1
    if pair[1] <= #a then
      list[#list + 1] = {sign = " ", text = a[pair[1]], a = pair[1], b = pair[2]}
    end
  end
  return list
end

-- One hunk of list[from..to].
local function hunk(list, from, to)
  local h = {a = list[from].a, b = list[from].b, an = 0, bn = 0}
  for i = from, to do
    local l = list[i]
    h[#h + 1] = l
    h.an = h.an + (l.sign ~= "+" and 1 or 0)
    h.bn = h.bn + (l.sign ~= "-" and 1 or 0)
  end
  return h
end

function M.lines(a, b, context)
  context = context or 3
  local list, hunks = script(split(a), split(b)), {}
  local from, last
  for i, l in ipairs(list) do
    if l.sign ~= " " then
      if last and i - last > 2 * context + 1 then
        hunks[#hunks + 1] = hunk(list, from, last + context)
        from = nil
      end
      from, last = from or math.max(1, i - context), i
    end
  end
  if last then
    hunks[#hunks + 1] = hunk(list, from, math.min(#list, last + context))
  end
  return hunks
end

function M.first(a, b)
  for _, l in ipairs(script(split(a), split(b))) do
    if l.sign == "+" then
      return l.b, l.text
    end
  end
  for _, l in ipairs(script(split(a), split(b))) do
    if l.sign == "-" then
      return l.a, l.text, true
    end
  end
  return nil
end

-- Writing it --------------------------------------------------------------------

local Reset, Bold, Cyan = "\27[0m", "\27[1m", "\27[36m"
local colour_of = {["-"] = "\27[31m", ["+"] = "\27[32m"}

-- Where two lines differ: the bytes before and behind that are the same, cut at
-- whole characters; nil when little is.
local function common(s, t)
  local n, m = 0, 0
  while n < #s and n < #t and s:byte(n + 1) == t:byte(n + 1) do
    n = n + 1
  end
  while n > 0 and ((s:byte(n + 1) or 0) & 0xc0 == 0x80 or (t:byte(n + 1) or 0) & 0xc0 == 0x80) do
    n = n - 1
  end
  while m < math.min(#s, #t) - n and s:byte(#s - m) == t:byte(#t - m) do
    m = m + 1
  end
  while m > 0 and s:byte(#s - m + 1) & 0xc0 == 0x80 do
    m = m - 1
  end
  local blank = #s:match "^%s*"
  if math.max(n - blank, 0) + m < math.max(#s, #t) // 3 then
    return nil
  end
  return n, m
end

-- The changed part of a line stands out.
local function marked(sign, text, other)
  local n, m = nil, nil
  if other then
    n, m = common(text, other)
  end
  if not n or n + m >= #text then
    return colour_of[sign] .. sign .. text .. Reset
  end
  return ("%s%s%s\27[7m%s\27[27m%s%s"):format(colour_of[sign], sign, text:sub(1, n),
    text:sub(n + 1, #text - m), text:sub(#text - m + 1), Reset)
end

-- For each line of a hunk the line that it became, or came from: of as many lines
-- as went, as many came.
local function partners(h)
  local other, i = {}, 1
  while i <= #h do
    local went = i
    while h[went] and h[went].sign == "-" do went = went + 1 end
    local came = went
    while h[came] and h[came].sign == "+" do came = came + 1 end
    if went - i == came - went then
      for k = i, went - 1 do
        other[k], other[k + went - i] = h[k + went - i].text, h[k].text
      end
    end
    i = math.max(came, i + 1)
  end
  return other
end

-- "3,5", "3" for one line; as diff writes it
local function range(first, n)
  if n == 0 then
    first = first - 1
  end
  return n == 1 and tostring(first) or ("%d,%d"):format(first, n)
end

function M.text(a, b, opts)
  opts = opts or {}
  local hunks, out = M.lines(a, b, opts.context), {}
  local colour = opts.colour and opts.colour ~= 0
  local function put(s, tint)
    out[#out + 1] = colour and tint and tint .. s .. Reset or s
  end
  if #hunks > 0 and (opts.old or opts.new) then
    put("--- " .. (opts.old or "a"), Bold)
    put("+++ " .. (opts.new or "b"), Bold)
  end
  for _, h in ipairs(hunks) do
    put(("@@ -%s +%s @@"):format(range(h.a, h.an), range(h.b, h.bn)), Cyan)
    local other = colour and partners(h) or {}
    for i, l in ipairs(h) do
      if colour and l.sign ~= " " then
        put(marked(l.sign, l.text, other[i]))
      else
        put(l.sign .. l.text)
      end
    end
  end
  return #out > 0 and table.concat(out, "\n") .. "\n" or ""
end

return M
