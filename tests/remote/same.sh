# A wrong program says the same thing, bit for bit, whether it is compiled and runs here or
# elsewhere, in both languages.
. lib/serve.sh
serve
cd ../wrong || exit 1
n=0
for f in run_assert run_assert_known run_assert_lua run_computed_index run_computed_store \
    run_huge_output run_huge_tile run_unwritten gemm_depth kernel_huge_grid parallel_double_write call_dtype; do
    for lang in en zh; do
        [ -e $f.lua ] || continue
        "$MOONTILE" --lang $lang -t cpu $f.lua >"$TMP/here" 2>&1
        here=$?
        "$MOONTILE" --lang $lang --connect "$URL" $f.lua >"$TMP/there" 2>&1
        there=$?
        n=$((n + 1))
        if [ $here != $there ] || ! cmp -s "$TMP/here" "$TMP/there"; then
            echo "$f $lang: $here, $there"
            diff "$TMP/here" "$TMP/there" | brief
        fi
    done
done
echo "$n programs"
echo "== nothing of a program that is wrong before it runs has travelled"
: >"$TMP/serve.log"
"$MOONTILE" --lang en --connect "$URL" parallel_double_write.lua 2>&1 | head -n 1
grep -c -e '"what": "kernel"' -e '"what": "launch"' "$TMP/serve.log"
