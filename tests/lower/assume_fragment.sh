# What is assumed of an element of a fragment outside of T.Parallel makes no code: the text is the same without it.
for assumes in true false; do
    sed "s/ASSUMES/$assumes/" lib/assume_fragment.lua >"$TMP/assume_fragment.lua"
    "$MOONTILE" compile --emit cuda -t "cuda -arch=sm_80" -o "$TMP/$assumes" "$TMP/assume_fragment.lua" | sed 's/.*assume_fragment/assume_fragment/; s/^.*\/k.cu/k.cu/'
done
diff "$TMP/true/k.cu" "$TMP/false/k.cu" && echo the same
# The simulator looks, in the thread that has it.
sed 's/ASSUMES/true/; s/-100/1/' lib/assume_fragment.lua >"$TMP/assume_fragment.lua"
"$MOONTILE" -t "sim -arch=sm_80" "$TMP/assume_fragment.lua" 2>&1 | sed 's/^[^ ]*assume_fragment/assume_fragment/'
