# tvm.py on simulated machines: what the cpu says.
for m in sm_80 sm_90a; do
    "$MOONTILE" --lang en -t "sim -arch=$m" tvm.py 2>"$TMP/err" | diff - tvm.out && echo "$m: the same" ||
        head -5 "$TMP/err"
done
