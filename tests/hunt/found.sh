# Programs that the hunt found, made small, on every machine and the cpu.  Each
# holds what an interpreter made of it, and its first line says what was wrong.
set -eu
for f in lib/found/*.lua; do
    right=0
    for t in "sim -arch=sm_75" "sim -arch=sm_80" "sim -arch=sm_90a" "sim -arch=c500" "sim -arch=gfx942" cpu; do
        said=$("$MOONTILE" --lang en -t "$t" "$f" 2>&1) || true
        if printf "%s\n" "$said" | grep -qx right; then
            right=$((right + 1))
        else
            printf '%s on %s:\n%s\n' "$f" "$t" "$said"
        fi
    done
    echo "$(basename "$f" .lua): right on $right"
done
