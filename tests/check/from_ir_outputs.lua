-- Outputs may stand anywhere among the parameters of a text.
local text = [[
kernel f(C, A, s) -> C
  buffer C: global float32[8]
  buffer A: global float32[8]
  scalar s: float32
  launch bx in 1 threads 32 do
    for i in parallel(8) do
      C[i] = A[i]*s
    end
  end
end
]]
for _, target in ipairs {"cpu", "sim"} do
  print(tl.from_ir(text, {target = target})(tl.arange(8, "float32"), 2))
end

-- One that the list lacks joins it.
local alone = text:gsub("%(C, A, s%)", "(A, s)")
for _, target in ipairs {"cpu", "sim"} do
  print(tl.from_ir(alone, {target = target})(tl.arange(8, "float32"), 3))
end
print(tl.from_ir(alone, {target = "cuda -build -arch=sm_80"}):get_kernel_source():match "f_kernel%b()")
