# Every example under three seeds, which shuffle warps, blocks and asynchronous
# operations: a line for each with the machines on which nothing was said.
cd ../..
cat >"$TMP/each.lua" <<'X'
for i = 2, #arg do
  print("= " .. arg[i]:match "([^/]*)%.lua$")
  local ok, why = pcall(loadfile(arg[i]), "small")
  print(ok and "ok" or why)
end
X
for arch in sm_80 sm_90a c500; do
    for seed in 1 2 3; do
        echo "@ $arch/$seed"
        "$MOONTILE" -t "sim -arch=$arch -seed=$seed" "$TMP/each.lua" small \
            $(ls lua/examples/*.lua | grep -v /frame) 2>&1 || true
    done
done >"$TMP/said"
awk '/^@ / { t = $2; next }
     /^= / { f = $2; files[f]; tries[f, t]; order[++n] = f SUBSEP t; next }
     $0 == "ok" { ok[f, t]; next }
     { said[f, t] = said[f, t] "\n    " $0 }
     END {
         for (i = 1; i <= n; i++) {
             split(order[i], p, SUBSEP)
             if (order[i] in ok) good[p[1]] = good[p[1]] " " p[2]
             else print p[1] ": ALARM on " p[2] said[order[i]]
         }
         for (f in files) print f ":" good[f] | "LC_ALL=C sort"
     }' "$TMP/said"
