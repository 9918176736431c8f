# T.import_source and T.call_extern: in a GPU's text; refused where there is only T.
for t in "cuda -arch=sm_90a" "hip -arch=gfx942"; do
    echo "== $t"
    "$MOONTILE" --lang en compile -t "$t" --emit "${t%% *}" lib/extern.py 2>&1 | grep -n -e 'void widen' -e 'widen(' | sed 's/^[0-9]*://'
done
for t in sim cpu; do
    for lang in en zh; do
        echo "== $t $lang"
        "$MOONTILE" --lang $lang -t $t lib/extern.py 2>&1 | grep -A4 E965
    done
done
for lang in en zh; do
    echo "== as a value, $lang"
    "$MOONTILE" --lang $lang -t cpu lib/extern_value.py 2>&1
done
exit 0
