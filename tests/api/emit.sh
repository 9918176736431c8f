# A file that also asks for its kernel's source, or for what the device makes of it, is
# written out and checked like any other.
cd "$TMP"
cat > f.lua <<'END'
f = tl.jit(function(A)
  A: T.Tensor({64}, T.float32)
  for bx in T.Kernel(1, {threads = 64}) do T.fill(A, 1) end
end)
k = f:compile()
k:show_source()
k:print_source_code()
k:show_ptx()
k:show_sass()
k:loaded()
k:export("out")
k:export_ptx("f.ptx")
print(type(k:get_kernel_source()), k.n_regs)
END
for kind in ir thread c cuda; do
  "$MOONTILE" compile f.lua --emit $kind > $kind.txt || echo "$kind failed"
done
cat ir.txt
"$MOONTILE" check f.lua
