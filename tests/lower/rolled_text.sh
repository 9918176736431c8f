# Serial loops that choose elements of fragments: which are unrolled, and what fragments go through
# shared memory.
cat >"$TMP/kernels.lua" <<'END'
local rolled = dofile "lib/rolled.lua"
for _, c in ipairs(rolled.cases) do
  local text = rolled.kernel(c[2]):compile {}:ir "unroll"
  local a, k = text:match "\n *(for a in [^\n]*) do", text:match "\n *(for k in [^\n]*) do"
  local y = text:match "\n *(alloc [xy] shared [%w]+%[[%d, ]+%])"
  print(("%-24s %s%s%s"):format(c[1], a and a .. ", " or "", k, y and ", " .. y or ""))
end
END
"$MOONTILE" -t "sim -arch=sm_90a" "$TMP/kernels.lua" 2>/dev/null
