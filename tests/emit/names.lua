-- Names that the language, the compiler or the printer has already.
dofile "lib/emit.lua" {"sm_80", [[
file 1 "@names.lua"
kernel 'float'(threadIdx, smem, f32, 'while') machine sm_80
  buffer threadIdx: global float16[64]
  buffer smem: global float32[64]
  buffer f32: global float32[64]
  scalar 'while': float16
  launch blockIdx in 2 threads tid in 32 shared=128 do @1
    alloc words4: shared float32[32] at=0 @2
    alloc expf: local float32[4] @2
    let inf_ = blockIdx*32 + tid @3
    for tid in unroll(4) do @4
      expf[tid] = f32[inf_] + float32(tid) @4
      for tid.2 in unroll(2) do @5
        expf[tid] = expf[tid] + float32(tid.2) @5
      end
    end
    words4[tid] = float32(threadIdx[inf_]) + float32('while') @6
    for i in unroll(4) do @7
      let i.2 = inf_ + i @8
      smem[i.2 % 64] = exp(expf[i]) + words4[tid] @9
    end
  end
end
]]}
