# What torch.cuda says is true of the target, and options that mean nothing here are named.
for t in cpu "sim -arch=sm_80" "sim -arch=sm_90a" "sim -arch=gfx942" "sim -arch=c500"; do
    echo "== $t"
    "$MOONTILE" --lang en -t "$t" lib/machine.py 2>"$TMP/err"
done
cat "$TMP/err"
