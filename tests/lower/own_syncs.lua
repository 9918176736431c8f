-- pass_configs["tl.disable_thread_storage_sync"]: accesses at places that are known only when the kernel runs have the
-- order that the program's own barriers give them; what is known to meet gets its barriers as ever.
local function build(own, missing)
  return tl.jit(function(A)
    A: T.Tensor({4096}, T.float32)
    local C = T.empty({4096}, T.int32)
    for _ in T.Kernel(1, {threads = 256}) do
      local n = T.alloc_shared({1}, T.int32)
      local s = T.alloc_shared({4096}, T.int32)
      local known = T.alloc_shared({256}, T.int32)
      local tx = T.get_thread_binding()
      T.fill(n, 0)
      T.fill(s, -1)
      T.sync_threads()
      for r in T.serial(16) do
        if A[r * 256 + tx] > 0.5 then
          local at = T.atomic_add(n[0], 1, {return_prev = true})
          s[at] = r * 256 + tx
        end
      end
      if not missing then T.sync_threads() end
      known[tx] = s[tx]
      C[tx] = known[255 - tx]
      for r in T.serial(1, 16) do C[r * 256 + tx] = s[r * 256 + tx] end
    end
    return C
  end, {pass_configs = {["tl.disable_thread_storage_sync"] = own}})
end

local a = tl.rand({4096}, {dtype = "float32"})
for _, own in ipairs {false, true} do
  tl.set_target "cuda -arch=sm_90a"
  local text = build(own):compile(a):get_kernel_source()
  local loop, rest = text:match "(for %(int r = 0.-\n    }\n)(.*)"
  print(own, select(2, loop:gsub("__syncthreads", "")) .. " in the loop, " .. select(2, rest:gsub("__syncthreads", "")) .. " behind it")
  tl.set_target "sim -arch=sm_90a"
  local c, seen, right = build(own)(a):totable(), {}, true
  for _, v in ipairs(c) do seen[v] = true end
  for i, v in ipairs(a:totable()) do right = right and (v > 0.5) == (seen[i - 1] or false) end
  print("those above a half: " .. tostring(right))
end
local _, why = pcall(build(true, true), a)
print("a barrier that the program lacks:", tostring(why):match "E%d+")
