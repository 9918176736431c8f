# Messages name a file by its whole path, however long, for programs of Lua and of IR.
long=$TMP/$(printf 'a%.0s' $(seq 100))/$(printf 'b%.0s' $(seq 100))
mkdir -p "$long"
said() { sed "s|$TMP/a*/b*|LONG|"; }
printf 'kernel f(\n' >"$long/f.ir"
printf 'local k = T.nothing()\n' >"$long/f.lua"
printf 'error("stop")\n' >"$long/stop.lua"
printf 'print(\n' >"$long/open.lua"
"$MOONTILE" --ir-check "$long/f.ir" 2>&1 | said
"$MOONTILE" --ir-lower sm_80 --ir-check "$long/f.ir" 2>&1 | said
for f in f stop open; do
    "$MOONTILE" "$long/$f.lua" 2>&1 | said
done
"$MOONTILE" -e "dofile '$long/stop.lua'" 2>&1 | said
"$MOONTILE" -e "print(pcall(dofile, '$long/stop.lua'))" 2>&1 | said
"$MOONTILE" -e "print(loadfile('$long/open.lua'))" 2>&1 | said
