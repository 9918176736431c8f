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
for t in "cuda -arch=sm_90a" "hip -arch=gfx942" maca cpu; do
    echo "== as a value, $t"
    emit=${t%% *}; [ "$emit" = cpu ] && emit=c
    "$MOONTILE" --lang en compile -t "$t" --emit "$emit" lib/extern_value.py 2>&1 |
        grep -e 'sq(' -e 'low(' -e 'count(' -e 'odd(' | sed 's/^ *//'
done
echo "== as a value, cpu"
"$MOONTILE" --lang en -t cpu lib/extern_values.py 2>&1
for lang in en zh; do
    echo "== as a value, sim $lang"
    "$MOONTILE" --lang $lang -t sim lib/extern_value.py 2>&1 | head -4
    echo "== wrong, $lang"
    "$MOONTILE" --lang $lang -t cpu lib/extern_wrong.py 2>&1 | sed 's/compiler [^ ]*/compiler/; s/编译器 [^ ]*/编译器/'
done
exit 0
