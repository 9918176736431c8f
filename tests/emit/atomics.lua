-- Atomics: kinds, types, old values, several lanes, orders.
local text = [[
file 1 "@atomics.lua"
kernel atomics(I, F, H, B, L) machine %s
  buffer I: global int32[64]
  buffer F: global float32[64]
  buffer H: global float16[64]
  buffer B: global bfloat16[64]
  buffer L: global int64[64]
  launch bx in 4 threads tid in 32 shared=128 do @1
    alloc s: shared float32[32] at=0 @2
    atomic sum I[tid], 1 @3
    let was = atomic max I[tid], 7 @4
    atomic bitxor I[0], was order=acq_rel @5
    atomic sum F[tid], 1.0 @6
    atomic sum F[tid %% 8*4], 1.0, 2.0, 3.0, 4.0 @7
    atomic max F[tid], 0.5 @8
    atomic sum H[tid], float16(1.0) @9
    atomic sum H[tid %% 8*2], float16(1.0), float16(2.0) @10
    atomic sum B[tid], bfloat16(1.0) @11
    let low = atomic min B[tid], bfloat16(2.0) @12
    atomic sum L[0], int64(tid) @13
    let now = atomic load I[0] order=acquire @14
    atomic store I[1], now order=release @15
    atomic sum s[0], 1.0 @16
    F[tid] = float32(was) + float32(low) @18
  end
end
]]
for _, arch in ipairs {"sm_80", "sm_90a"} do
  dofile "lib/emit.lua" {arch, text:format(arch)}
end
