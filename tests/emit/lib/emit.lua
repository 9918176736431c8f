-- emit.lua: prints the CUDA C++ of a thread program.
--
--     dofile "lib/emit.lua" {"sm_80", [[kernel f(A) machine sm_80 ..]]}
return function(t)
  local k = tl.from_ir(t[2], {target = "cuda -arch=" .. t[1], name = "@kernel.lua"})
  print(k:get_kernel_source())
end
