-- Integers: division towards minus infinity, shifts, wrapping, saturating
-- conversions, bits; booleans and choices.
dofile "lib/emit.lua" {"sm_80", [[
file 1 "@integers.lua"
kernel integers(I, L, F, N) machine sm_80
  buffer I: global int32[1024]
  buffer L: global int64[1024]
  buffer F: global float32[1024]
  scalar N: int32
  launch bx in 8 threads tid in 128 shared=0 do @1
    let i = tid + bx*128 @2
    let a = I[i] @3
    let b = N @3
    I[i] = (i // 32) % 4 + (i - 500) // 8 + (i - 500) % 8 @4
    I[i] = a // b + a % b @5
    I[i] = a // 10 + a % 16 @6
    I[i] = truncdiv(a, b) + truncmod(a, 7) @7
    I[i] = a*b - a + 3 @8
    I[i] = (a << 3) | (a >> 2) & (a ^ b) | ~a @9
    I[i] = a << b @10
    I[i] = int32(uint32(a) >> uint32(b)) @11
    I[i] = int32(int8(a)) + int32(uint16(a)) + int32(int8(F[i])) + int32(uint32(F[i])) @12
    I[i] = reinterpret(int32, F[i]) + clz(a) + popcount(a) @13
    I[i] = select(a > b and (a < 5 or b ~= 3) or not (a == 7), min(a, b), max(abs(a), 3)) @14
    L[i] = int64(a)*L[i] + int64(float64(F[i])*2.0) @15
    L[i] = L[i] // int64(3) + (L[i] << int64(40)) @16
    F[i] = float32(L[i]) + float32(reinterpret(float16, int16(a))) @17
    F[i] = float32(float16(a)) + float32(float16(float64(L[i]))) + float32(bfloat16(i % 16)) @18
    F[i] = F[i] // 3.0 + F[i] % 2.5 - inf @19
    F[i] = select(i < 1000, F[i + 24], 0.0) @20
  end
end
]]}
