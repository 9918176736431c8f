-- readable.lua: the standard input has no control characters but line ends and tabs, and is
-- UTF-8; lines that are not so are printed, quoted.  With `colour` as its argument colours
-- of ours (ESC [ numbers m) may stand there too.
local n = 0
for line in io.stdin:lines() do
  local plain = arg[1] == "colour" and line:gsub("\27%[[%d;]*m", "") or line
  if plain:find "[%z\1-\8\11-\31\127]" or not utf8.len(plain) or plain:find "\xC2[\x80-\x9F]" then
    n = n + 1
    print(("%q"):format(line))
  end
end
print(n == 0 and "readable" or n .. " lines are not")
