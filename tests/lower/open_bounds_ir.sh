# Texts whose parallel loops begin where another variable or memory says, as no kernel of T does: they are lowered.
cat >"$TMP/a.ir" <<'X'
kernel k(I, n)
  scalar n: int32
  buffer I: global int32[128]
  launch bx in 4 threads 32 do
    alloc s: shared float32[32, 32]
    fill s, 0
    for i0 in parallel(3) do
      for i1, i2 in parallel(7, (i0 + i0) : 4) do
        s[I[i0], i2] = float32(1.5)
      end
    end
    for i0, i1, i2 in parallel(4, I[8] : 128, 2) do
      s[min(min(i0, i1), (n ^ i0)) & 31, int32(int8(i2)) * I[i0]] = float32(1.5)
    end
  end
end
X
for m in sm_80 sm_90a gfx942; do
    "$MOONTILE" --ir-lower $m --ir-check "$TMP/a.ir" 2>&1 | grep -o "call parallel.*\|call iteration.*\|error.*"
done
