# Every example under three seeds, which shuffle warps, blocks and asynchronous
# operations: a line for each with the machines on which nothing was said.
cd ../..
for f in lua/examples/*.lua; do
    name=$(basename "$f" .lua)
    [ "$name" = frame ] && continue
    good=
    for arch in sm_80 sm_90a c500; do
        for seed in 1 2 3; do
            if "$MOONTILE" -t "sim -arch=$arch -seed=$seed" "$f" small >"$TMP/out" 2>&1; then
                good="$good $arch/$seed"
            else
                echo "$name: ALARM on $arch, seed $seed"
                sed 's/^/    /' "$TMP/out" | tail -12
            fi
        done
    done
    echo "$name:$good"
done
