# Programs that the hunt found, made small, on every machine and the cpu.  Each
# holds what an interpreter made of it, and its first line says what was wrong.
# A session runs them all, one after the other; what ends a session is blamed on its last line.
set -eu
cat >"$TMP/each.lua" <<'X'
for _, f in ipairs(arg) do
  print("= " .. f)
  local ok, why = pcall(dofile, f)
  if not ok then print(why) end
end
X
for t in "sim -arch=sm_75" "sim -arch=sm_80" "sim -arch=sm_90a" "sim -arch=c500" "sim -arch=gfx942" cpu; do
    echo "@ $t"
    "$MOONTILE" --lang en -t "$t" "$TMP/each.lua" lib/found/*.lua 2>&1 || true
done >"$TMP/said"
awk '/^@ / { t = substr($0, 3); next }
     /^= / { f = $2; files[f]; tries[f, t]; next }
     $0 == "right" { right[f]++; ok[f, t]; next }
     { said[f, t] = said[f, t] "\n" $0 }
     END {
         for (k in tries)
             if (!(k in ok)) { split(k, p, SUBSEP); print p[1] " on " p[2] ":" said[k] }
         for (f in files) {
             s = f
             gsub(/.*\/|\.lua$/, "", s)
             print s ": right on " right[f] + 0 | "LC_ALL=C sort"
         }
     }' "$TMP/said"
