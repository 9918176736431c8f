# On a machine with a GPU: the examples at their small and odd sizes, compared with
# their references there.
[ -e /dev/nvidiactl ] || { echo "no GPU"; exit 77; }
unset MOONTILE_CUDA_LIB
for f in ../../lua/examples/*.lua; do
    name=$(basename "$f" .lua)
    [ "$name" = frame ] && continue
    if "$MOONTILE" --lang en -t cuda "$f" small >"$TMP/$name" 2>&1; then
        bad=$(grep -vc agrees "$TMP/$name")
        echo "$name: $(grep -c agrees "$TMP/$name") agree, $bad other lines"
    else
        echo "$name: failed"
        cat "$TMP/$name"
    fi
done
