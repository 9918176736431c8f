-- One stage more than num_stages: where there is room, where not, and what keeps to num_stages.  Shown: stages
-- of the tile, blocks that fit side by side where shared memory alone decides, the note, and that the result is right.
tl.manual_seed(3)

local function product(how)
  local steps, width = how.steps or 8, how.width or 16
  return tl.jit(function(A, B)
    A: T.Tensor({64, steps * width}, "float16")
    B: T.Tensor({steps * width, 64}, "float16")
    local O = T.empty({64, 64}, "float32")
    for bx in T.Kernel(1, {threads = 128}) do
      local As, Bs = T.alloc_shared({64, width}, "float16"), T.alloc_shared({width, 64}, "float16")
      local acc = T.alloc_fragment({64, 64}, "float32")
      if how.blocks then T.annotate_min_blocks_per_sm(how.blocks) end
      T.clear(acc)
      for k in T.Pipelined(steps, {num_stages = how.stages}) do
        T.copy(A[0, k * width], As)
        T.copy(B[k * width, 0], Bs)
        T.gemm(As, Bs, acc)
      end
      T.copy(acc, O)
    end
    return O
  end, {target = how.target, pass_configs = {["tl.disable_spare_stage"] = how.own}})
end

local function show(what, how)
  how.target = "sim -arch=" .. how.arch
  local f = product(how)
  local n = (how.steps or 8) * (how.width or 16)
  local A, B = tl.randn({64, n}, "float16"), tl.randn({n, 64}, "float16")
  local k = f:compile{}
  local O = k(A, B)
  local text = k:ir "thread"
  local right = pcall(tl.testing.assert_close, O, tl.ref.matmul(A, B), {rtol = 1e-3, atol = 1e-2})
  print(("%-44s %-8s stages %s  %s%s"):format(what, how.arch, text:match "As: shared float16%[(%d+), 64" or "1",
    right and "right" or "WRONG", text:find "own_stages=1" and "  own_stages" or ""))
end

for _, arch in ipairs {"sm_75", "sm_80", "sm_90a", "c500", "gfx942"} do
  show("two stages, room", {arch = arch, stages = 2})
end
for _, arch in ipairs {"sm_80", "sm_90a"} do
  show("one stage, room", {arch = arch, stages = 1})
  show("two stages, tl.disable_spare_stage", {arch = arch, stages = 2, own = true})
  show("as many stages as steps", {arch = arch, stages = 2, steps = 2})
  show("one step less than stages", {arch = arch, stages = 3, steps = 2})
  show("no pipeline", {arch = arch, stages = 0})
end
show("no room: 3 x 48 KB of 163", {arch = "sm_80", stages = 3, width = 192})
show("no room: 4 x 48 KB of 227", {arch = "sm_90a", stages = 4, width = 192})
show("room, but one block instead of two: 2 x 40 KB", {arch = "sm_80", stages = 2, width = 160})
show("four blocks wanted: 2 x 24 KB", {arch = "sm_90a", stages = 2, width = 96, blocks = 4})
