# Every example, which checks itself against a reference, on every simulated
# machine: a line for each with the machines that agree.
cd ../..
for f in lua/examples/*.lua; do
    name=$(basename "$f" .lua)
    [ "$name" = frame ] && continue
    good=
    for arch in sm_80 sm_90a c500 simt; do
        if "$MOONTILE" -t "sim -arch=$arch" "$f" small >"$TMP/out" 2>&1; then
            good="$good $arch"
        else
            echo "$name: FAILS on $arch"
            sed 's/^/    /' "$TMP/out" | tail -12
        fi
    done
    echo "$name:$good"
done
