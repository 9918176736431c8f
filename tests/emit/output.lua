-- T.print and T.device_assert: records in the side buffer.
dofile "lib/emit.lua" {"sm_80", [[
file 1 "@output.lua"
kernel output(A) machine sm_80
  buffer A: global float16[16, 64]
  launch bx in 4 threads tid in 64 shared=2048 do @1
    alloc s: shared float32[8, 64] at=0 @2
    alloc x: local float32[32] map="[16,64] lane(0/1:8*4 1/2:4*1) warp(1/32:2*1) reg(0/8:2*2 1/1:2*1 1/8:4*4)" @2
    alloc d: local float64[2] @2
    for i in unroll(16) do @3
      x[i] = 0.0 @3
    end
    s[0, tid] = float32(A[bx, tid]) @4
    d[0] = 1.0 @4
    printf bx*2, "blocks" @5
    printf "here" @6
    printf A[0, tid] @7
    printf d[0] @8
    print x "a fragment" @9
    print s[1:+2, 0:+64] @10
    if tid == 32 then @11
      print s @11
    end
    if tid % 2 == 0 then @12
      print "odd ones" @12
    end
    assert s[0, tid] < 100.0, "too large" @13
  end
end
]]}
