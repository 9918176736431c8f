-- Control: loops of every kind, while, break, roles, variables, bounds from memory.
dofile "lib/emit.lua" {"sm_90a", [==[
file 1 "@flow.lua"
kernel flow(A, P, C) machine sm_90a
  buffer A: global float32[4096]
  buffer P: global int32[64]
  buffer C: global float32[4096]
  launch bx in 32 threads tid in 128 shared=512 do @1
    alloc s: shared float32[128] at=0 @2
    alloc n: var int32[1] = 3 @2
    alloc x: local float32[4] @2
    for i in unroll(4) do @3
      x[i] = A[bx*128 + tid] + float32(i) @3
    end
    for i in serial(P[bx]: P[bx + 1]) do @4
      for j in serial(10: 0) step=-2 do @5
        if i + j > 20 then @6
          break @6
        end
        if j == 4 then @7
          continue @7
        else
          x[0] = x[0]*0.5 @8
        end
      end
    end
    for i in serial(P[bx + 2]) do @9
      x[1] = x[1] + A[i] @9
    end
    while n[0] < 10 and x[0] > 1.0 do @10
      n[0] = n[0] + P[n[0]] @11
      x[0] = x[0] - 1.0 @12
    end
    role 0..64 "front" do @13
      s[tid] = x[0] @14
      bar_sync id=1 count=128 @15
    end
    role 64..128 "back" do @16
      bar_sync id=1 count=128 @17
      s[tid] = s[tid - 64] + x[1] @18
    end
    bar_sync @19
    assume n[0] >= 0 @20
    for i, j in serial(2, 3) unroll=2 do @21
      C[bx*128 + tid] = s[tid] + float32(i*3 + j) @21
    end
  end
end
]==]}
