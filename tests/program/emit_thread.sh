# compile --emit thread: the thread program of a machine, which reads back.
cp lib/kernels.lua "$TMP"
cd "$TMP" || exit
echo 'double(tl.ones({64}, "float32"))' >>kernels.lua
for arch in sm_80 sm_90a gfx942 simt; do
    "$MOONTILE" compile kernels.lua --emit thread -t "sim -arch=$arch" >$arch.ir || echo "$arch: failed"
    grep -o ') .*machine .*' $arch.ir
    grep -c 'threads tid in' $arch.ir
    "$MOONTILE" --ir-roundtrip $arch.ir | cmp - $arch.ir && "$MOONTILE" --ir-check $arch.ir
done
"$MOONTILE" compile kernels.lua --emit thread -o out
"$MOONTILE" compile kernels.lua --emit thread -t "sim -arch=sm_12"
echo "[$?]"
