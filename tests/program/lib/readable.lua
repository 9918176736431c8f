-- readable.lua: the standard input is UTF-8 without control characters but line ends and tabs
-- and without marks that turn the order of characters around; lines that are not so are
-- printed, quoted.  With `colour` as its argument colours of ours (ESC [ numbers m) may stand
-- there too.
local hidden = {[0x61c] = true, [0x200e] = true, [0x200f] = true, [0xfeff] = true}
local function turns(line)
  for _, c in utf8.codes(line) do
    if hidden[c] or c >= 0x80 and c < 0xa0 or c >= 0x2028 and c <= 0x202e or c >= 0x2066 and c <= 0x2069 then
      return true
    end
  end
end
local n = 0
for line in io.stdin:lines() do
  local plain = arg[1] == "colour" and line:gsub("\27%[[%d;]*m", "") or line
  if plain:find "[%z\1-\8\11-\31\127]" or not utf8.len(plain) or turns(plain) then
    n = n + 1
    print(("%q"):format(line))
  end
end
print(n == 0 and "readable" or n .. " lines are not")
