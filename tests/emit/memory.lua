-- Addresses: swizzled shared memory, views, strides, sizes known at run time only.
dofile "lib/emit.lua" {"sm_80", [[
file 1 "@memory.lua"
kernel memory(A, B, S) machine sm_80
  dim M: int32 in 1..2147483647
  buffer A: global float16[M, 48, 64]
  buffer B: global float16[64, 64] stride=[100, 1]
  buffer S: global float32[6, 5, 4, 3]
  launch bx, by in 8, M threads tid in 128 shared=17472 do @1
    alloc As: shared float16[2, 64, 64] map="[2,64,64] off(0/1:2*4096 1/1:64*64 2/1:64*1) xor(3,3,3)" at=0 @2
    alloc Ps: shared float32[4, 64] map="[4,64] off(0/1:4*68 1/1:64*1)" at=16384 @2
    alloc r: local float16[8] @2
    alloc n: local uint16[4] @2
    view Av of As: int16[8192] @2
    view nv of n: float16[2, 2] @2
    for v in vectorized(8) do @3
      As[by % 2, tid // 8, (tid % 8)*8 + v] = A[by, tid // 8, (tid % 8)*8 + v] @3
    end
    As[0, tid // 2, 5] = A[by, 0, 3] @4
    Ps[tid // 64, tid % 64] = float32(As[1, tid % 64, 7]) @5
    for i in unroll(4) do @6
      for v in vectorized(8) do @6
        r[v] = As[1, tid // 8 + i*16, (tid % 8)*8 + v] @6
      end
      for v in vectorized(8) do @7
        B[tid // 8 + i*16, (tid % 8)*8 + v] = r[v] @7
      end
    end
    n[0] = uint16(tid) @8
    n[1] = reinterpret(uint16, B[bx, tid % 64]) @9
    nv[1, 0] = nv[0, 1] + float16(1.0) @10
    S[1, 2, 3, bx % 3] = float32(nv[1, 0]) @11
    S[0, 0, bx % 4, 2] = float32(n[0]) @12
    S[0, by % 5, 3, 0] = float32(Av[tid + 5]) @13
  end
end
]]}
