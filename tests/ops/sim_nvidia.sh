# The operators of lua/ops on simulated machines: how many results agree.
for arch in sm_80 sm_90a; do
    "$MOONTILE" -t "sim -arch=$arch" all.lua >"$TMP/$arch" 2>&1
    echo "$arch: $(wc -l <"$TMP/$arch")"
    cmp -s all.out "$TMP/$arch" || diff all.out "$TMP/$arch" | tail -12
done
