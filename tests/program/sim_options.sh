# The options of the target sim: what they change, what is refused.
f=../../lua/examples/quickstart.lua
for t in "sim -warp=64 -shared=65536" "sim -seed=3 -arch=simt" "sim -warp=64 -arch=sm_80" "sim -shared=1000" \
    "sim -shared=900000" "sim -arch=sm_70" "sim -warp=16" "sim -foo"; do
    echo "== $t"
    "$MOONTILE" -t "$t" "$f" small 2>&1 | grep -v '^ *[0-9][0-9]* |'
done
