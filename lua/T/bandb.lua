-- T/bandb.lua: TileLang's names that are not here yet, and what to use instead.
--
-- Reaching one of them gives a message, never "attempt to call a nil value".
-- The lists are data: selfcheck compares them with what T has.

local registry = require "moontile.T.registry"

local M = {}

-- Accepted and without an effect: they only tune code for one vendor.
M.hints = {
  annotate_l2_hit_ratio = {"l2_hit_ratio_map", "share of a buffer that stays in the L2 cache",
    "缓冲区保留在 L2 缓存中的比例",
    "T.annotate_l2_hit_ratio {[A] = 0.5}"},
  annotate_restrict_buffers = {"*buffers", "parameters that may overlap", "可能重叠的参数",
    "T.annotate_restrict_buffers(A)"},
  annotate_compile_flags = {"flags", "flags of the GPU compiler", "GPU 编译器选项",
    "T.annotate_compile_flags('-O3')"},
  warpgroup_fence_operand = {"buffer, offset=0, num_regs=None, dtype=None",
    "keeps registers in place around wgmma; the compiler does so itself",
    "在 wgmma 前后固定寄存器；编译器会自行处理", "T.warpgroup_fence_operand(Cl)"},
  pdl_trigger = {"", "lets the next kernel of the function begin early; here each begins when the one before has ended",
    "允许函数的下一个内核提前开始；此处每个内核都在前一个结束后开始", "T.pdl_trigger()"},
  pdl_sync = {"", "waits for the kernel before, which has always ended here", "等待前一个内核；此处它总是已经结束", "T.pdl_sync()"},
}

-- name = what to use instead
M.instead = {
  copy_cluster = "T.tma_copy",
  wgmma_gemm_sp = "T.gemm_sp", tvm_mma_sync = "T.gemm", ptx_mma = "T.gemm",
  dyn = "T.dynamic",
  launch_thread = "T.Kernel",
  env_thread = "T.get_thread_binding", PersistentTileScheduler = "T.Persistent",
  create_barriers = "T.alloc_barrier", ptx_init_barrier_thread_count = "T.alloc_barrier",
  ptx_fence_barrier_init = "T.alloc_barrier", ptx_cp_async_barrier = "T.cp_async_barrier_noinc",
  tma_load = "T.tma_copy", ptx_cp_async_bulk = "T.tma_copy",
  break_loop = "break",
  continue_loop = "goto continue", thread_return = "if", Assert = "T.device_assert",
  assert = "T.device_assert", decl_buffer = "T.view",
  allocate = "T.alloc_shared", buffer_store = "A[i] = value",
  buffer_load = "A[i]", inline = "T.macro",
  sync_global = "T.sync_grid",
  tvm_storage_sync = "T.sync_threads",
  var = "T.dynamic", Var = "T.dynamic", SizeVar = "T.dynamic",
  where = "T.if_then_else",
  create_tma_descriptor = "T.tma_copy",
}

-- What only Blackwell has (sm_100 and later), and what does the same on machines before it.
M.blackwell = {
  ["T.alloc_fragment"] = "alloc_tmem deallocate_tmem",
  ["T.gemm"] = [[
    tcgen05_gemm tcgen05_mma tcgen05_gemm_blockscaled tcgen05_mma_blockscaled mma_gemm_blockscaled
    make_blockscaled_gemm_layout tcgen05_mma_arrive tcgen05_before_thread_sync tcgen05_after_thread_sync
    tcgen05_cp_warpx4 tcgen05_sf_warp_transpose ptx_tcgen05_mma_ss ptx_tcgen05_mma_ts ptx_tcgen05_mma_blockscaled_ss
    ptx_mma_block_scale alloc_tcgen05_smem_desc alloc_tcgen05_instr_desc alloc_tcgen05_instruction_desc
    initialize_tcgen05_descriptor compute_umma_descriptor TCGEN05DescriptorParams TCGEN05TensorCoreIntrinEmitter
    TensorCoreIntrinEmitterSM120 make_tcgen05mma_swizzled_layout]],
  ["T.gemm_sp"] = "tcgen05_gemm_sp",
  ["T.tma_copy"] = "tma_load_2sm",
  ["A[index[i], j]"] = "tma_gather4 tma_scatter4 tma_gather4_bytes",
  ["T.Persistent"] = [[
    clc_try_cancel clc_try_cancel_multicast clc_is_canceled clc_get_first_ctaid_x clc_get_first_ctaid_y
    clc_get_first_ctaid_z]],
}

-- All other names of tilelang-surface.md, 1.1 to 1.16.
M.later = [[
  CUDASourceCodeKernel KernelLaunchFrame alloc_descriptor alloc_wgmma_desc ptx_ldmatrix ds_read_tr16_b64
  ds_read_tr8_b64 ptx_mma_sm70 ptx_mma_sp ptx_wgmma_ss ptx_wgmma_rs ptx_wgmma_sp_ss ptx_wgmma_sp_rs mma_fill
  mma_store tvm_bmma_sync tvm_fill_fragment tvm_load_matrix_sync tvm_store_matrix_sync initialize_wgmma_descriptor
  increase_descriptor_offset compute_gmma_descriptor WGMMADescriptorParams get_mma_micro_size get_swizzle_layout
  get_ldmatrix_offset make_mma_swizzle_layout mma_store_index_map TensorCoreIntrinEmitter
  TensorCoreIntrinEmitterWithLadderTransform WGMMATensorCoreIntrinEmitter SparseTensorCoreIntrinEmitter
  WGSparseTensorCoreIntrinEmitter mfma mfma_store rdna_wmma rdna_wmma_store tvm_mfma tvm_mfma_store tvm_rdna_wmma
  tvm_rdna_wmma_store MatrixCoreIntrinEmitter MatrixCorePreshuffleIntrinEmitter WMMAIntrinEmitter
  make_mfma_swizzle_layout mfma_store_index_map mfma_store_index_map_32x32 simdgroup_load simdgroup_store
  simdgroup_multiply_accumulate make_filled_simdgroup_matrix cooperative_tensor_fill cooperative_tensor_load
  cooperative_tensor_store cooperative_tensor_multiply_accumulate q_multiply_shift q_multiply_shift_per_axis
  vectorlow vectorhigh vectorcombine undef annotate_ws_schedule ws_op WSID sblock_attr make_volta_swizzled_layout
  make_cutlass_metadata_layout SwizzleMode cute tvm_thread_invariant start_profile_intrinsic end_profile_intrinsic
  AnyDType get_tvm_dtype is_float4 is_float4_e2m1fn is_float4_e2m1_unpacked is_f8f6f4_family validate_gemm_ab_dtypes
  meta_class PrimFunc JITFunc has_let_value get_let_value BaseTileScheduler WSRole WSPipeline WSSync WSSyncKind
  WSOpRef WSInstr WSScope WSSchedule call_intrin call_packed call_cpacked call_packed_lowered
  call_cpacked_lowered call_llvm_intrin call_llvm_pure_intrin lookup_param anylist_getitem anylist_resetitem
  anylist_setitem_call_packed anylist_setitem_call_cpacked tvm_stack_alloca tvm_stack_make_array tvm_stack_make_shape
  tvm_struct_get tvm_struct_set tvm_throw_last_error tvm_tuple TVMBackendAllocWorkspace TVMBackendFreeWorkspace ret
  vscale IntImm StringImm PrimExpr Any buffer sblock init reads writes sblock_alloc_buffer axis boolean void iter_var
  index_map target buffer_var handle_add_byte_offset broadcast ramp Add Sub Mul Div Mod FloorDiv FloorMod Min Max EQ
  NE LT LE GT GE BufferLoad Call Let IterVar CommReducer Range get_active_lane_mask call_kernel ignore_loop_partition
  llvm_lookup_intrinsic_id meta_var Ptr
]]

for name, h in pairs(M.hints) do
  registry.def {
    name = name, sig = ("%s(%s)"):format(name, h[1]), summary = h[2] .. " (a hint)",
    summary_zh = h[3] .. "（提示）",
    example = h[4], band = "B", fn = function() end,
  }
end
for name, use in pairs(M.instead) do
  registry.later(name, use)
end
for use, names in pairs(M.blackwell) do
  for name in names:gmatch("%S+") do
    registry.later(name, use, true)
  end
end
for name in M.later:gmatch("%S+") do
  registry.later(name)
end

return M
