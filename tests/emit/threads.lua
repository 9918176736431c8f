-- What threads do together: shuffles, votes, reductions of warps, barriers.
dofile "lib/emit.lua" {"sm_80", [[
file 1 "@threads.lua"
kernel threads(A, I) machine sm_80
  buffer A: global float32[128]
  buffer I: global int32[128]
  launch bx in 2 threads tid in 64 shared=0 do @1
    let i = bx*64 + tid @2
    alloc x: local float32[1] @2
    alloc h: local float16[1] @2
    x[0] = A[i] @3
    h[0] = float16(x[0]) @3
    x[0] = x[0] + shfl_xor(x[0], 16, 32, uint32(4294967295)) @4
    x[0] = shfl_sync(x[0], 3, 32, uint32(4294967295)) + shfl_down(x[0], 1, 16, uint32(65535)) @5
    I[i] = any_sync(x[0] > 0.0, uint32(4294967295)) + int32(ballot_sync(x[0] > 1.0, uint32(activemask()))) @6
    I[i] = get_lane_idx(32) + get_warp_idx(32)*2 + get_warp_group_idx(32, 4) @7
    x[0] = warp_reduce_sum(x[0]) + float32(warp_reduce_max(h[0])) @8
    I[i] = syncthreads_count(x[0] > 2.0) @9
    if shuffle_elect(64) then @10
      I[0] = int32(match_any_sync(i, uint32(1))) @10
    end
    call sync_threads(-1, -1) @11
    call sync_threads(2, 64) @12
    call sync_warp(uint32(4294967295)) @13
    call sync_grid() @14
    A[i] = x[0] @15
  end
end
]]}
