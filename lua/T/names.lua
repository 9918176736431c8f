-- T/names.lua: the names that T must have, from the list of TileLang's surface.
-- selfcheck compares this with the registry.

local M = {}

M.bandA = [[
  Kernel Tensor const dynamic empty prim_func macro alloc_shared alloc_fragment
  alloc_local alloc_var copy fill clear gemm GemmWarpPolicy reduce reduce_sum
  reduce_max reduce_min reduce_abssum reduce_absmax reduce_bitand reduce_bitor
  reduce_bitxor cumsum cummax Parallel Pipelined serial Serial unroll Unroll
  vectorized Vectorized grid Persistent ceildiv min max if_then_else Select clamp
  cast reinterpret infinity min_value max_value reshape view transpose any_of
  all_of atomic_add atomic_max atomic_min atomic_load atomic_store atomic_or
  atomic_addx2 atomic_addx4 print device_assert use_swizzle annotate_layout
  annotate_safe_value Layout Fragment make_swizzled_layout
  make_full_bank_swizzled_layout make_half_bank_swizzled_layout
  make_quarter_bank_swizzled_layout make_linear_layout get_thread_binding
  get_thread_bindings get_block_binding get_block_bindings get_thread_extent
  get_thread_extents get_block_extent get_block_extents sync_threads sync_warp
  sync_grid shfl_sync shfl_xor shfl_up shfl_down any_sync all_sync ballot
  ballot_sync activemask match_any_sync match_all_sync syncthreads_count
  syncthreads_and syncthreads_or warp_reduce_sum warp_reduce_max warp_reduce_min
  warp_reduce_bitand warp_reduce_bitor get_lane_idx get_warp_idx
  get_warp_idx_sync get_warp_group_idx shuffle_elect StridedTensor alloc_global
  assume slice annotate likely loop_break symbolic Buffer SharedBuffer
  FragmentBuffer LocalBuffer dtype Ref
  abs acos acosh asin asinh atan atanh ceil cos cosh erf exp exp2 exp10 floor
  isfinite isinf isnan log log10 log1p log2 nearbyint round rsqrt sigmoid sin sinh
  sqrt tan tanh trunc clz popcount bitwise_not atan2 copysign fmod hypot ldexp
  nextafter pow floordiv floormod truncdiv truncmod cdiv align_up shift_left
  shift_right bitwise_and bitwise_or bitwise_xor __log __log2 __log10 __exp __exp2
  __exp10 __sin __cos __tan fast_rcp ieee_add ieee_sub ieee_mul ieee_fdiv ieee_fmaf
  ieee_frcp ieee_fsqrt ieee_frsqrt
  bool short int uint long half float double int4 int8 int16 int32 int64 uint4
  uint8 uint16 uint32 uint64 float16 float32 float64 bfloat16 tfloat32
  float8_e4m3fn float8_e5m2
]]

M.bandB = [[
  make_wgmma_swizzled_layout make_gemm_fragment_8x8
  make_gemm_fragment_8x8_transposed make_fully_replicated_layout_fragment
  ws alloc_barrier mbarrier_wait_parity mbarrier_arrive async_copy
  ptx_commit_group ptx_wait_group tma_copy wgmma_gemm set_max_nreg inc_max_nreg
  dec_max_nreg no_set_max_nreg disable_warp_group_reg_alloc ClusterKernel
  cluster_arrive cluster_wait cluster_sync BaseTileScheduler
  PersistentTileScheduler gemm_sp im2col dp4a add2 sub2 mul2 fma2 max2 min2 abs2
  rng_init rng_rand rng_rand_float alloc_reducer reducer_init reducer_update finalize_reducer
  thread_binding parallel alloc_buffer c2d_im2col tvm_warp_shuffle tvm_warp_shuffle_up
  tvm_warp_shuffle_down tvm_warp_activemask tvm_thread_allreduce comm_reducer attr evaluate
  ptx_cp_async access_ptr tvm_access_ptr type_annotation address_of import_source call_extern call_pure_extern
  If Then Else index_to_coordinates gemm_v1 gemm_v2
]]

return M
