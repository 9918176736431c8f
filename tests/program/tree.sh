# A program in the folder that it was built in takes files of its tree that are newer.
mkdir -p "$TMP/tree/build/san" "$TMP/tree/lua/state" "$TMP/tree/lua/help" "$TMP/tree/lua/stage" "$TMP/other/build"
cp "$MOONTILE" "$TMP/tree/build/moontile"
cp "$MOONTILE" "$TMP/tree/build/san/moontile"
cp "$MOONTILE" "$TMP/other/build/moontile"
touch "$TMP/tree/lua/state/embed.c"
echo 'return {said = "the tree"}' >"$TMP/tree/lua/help/init.lua"
touch -d "2000-01-01" "$TMP/tree/lua/stage/init.lua"
cd "$TMP" || exit
code='print(require("moontile.help").said or "itself", require("moontile.stage") ~= nil)'
for program in tree/build tree/build/san other/build; do
    echo "$program: $($program/moontile -e "$code")"
done
echo "what is embedded alone: $(MOONTILE_LUA_PATH='' tree/build/moontile -e "$code")"
touch -d "2000-01-01" "$TMP/tree/lua/help/init.lua"
echo "an older file: $(tree/build/moontile -e "$code")"
true
