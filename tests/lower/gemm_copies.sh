# Copies that ask for TMA or cp.async, and why they do not get it.
lower() { "$MOONTILE" --ir-lower "$1" --ir-check "$2"; }
for m in sm_80 sm_90a gfx90a; do
    echo "== $m"
    lower $m:select lib/copies.ir 2>&1 >/dev/null | grep -A2 "for this copy"
done
echo "== sm_80: what prefer=cp_async and T.async_copy become"
lower sm_80 lib/copies.ir 2>/dev/null | grep cp_async | sed 's/ @.*//'
echo "== sm_80: T.tma_copy"
sed 's/async_copy A\(.*\) -> As/tma_copy A\1 -> As, bar[0]/' lib/copies.ir >"$TMP/tma.ir"
lower sm_80 "$TMP/tma.ir" 2>&1 >/dev/null | grep -A4 "error" | sed 's/.*tma.ir/tma.ir/'
true
