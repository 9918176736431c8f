-- T/sparse.lua: T.gemm_sp: a product whose left side has two numbers (of float32 one) of each four (two) that are not zero.
--
-- A_sparse holds those numbers, E where they stand: 4 bits for each group, as many groups in a word as fit, the first one
-- lowest.  The tile is spread out in shared memory and multiplied as any other:
--
--     T.gemm_sp(As, Es, Bs, Cl)        for i, k in T.Parallel(M, K): dense[i, k] = As[i, k // 2 ..] or 0, as Es[i, ..] says
--                                      T.gemm(dense, Bs, Cl)
--
-- Zeros add nothing, so the sums are those of TileLang's sparse instructions, which no target is given here.

local diag = require "moontile.diag"
local ir = require "moontile.ir"
local registry = require "moontile.T.registry"
local trace = require "moontile.T.trace"
local W = require "moontile.base.translations"

-- dtype of A -> {numbers kept, of a group of so many}
local group_of = {
  float32 = {1, 2}, float16 = {2, 4}, bfloat16 = {2, 4}, int8 = {2, 4}, uint8 = {2, 4}, float8_e4m3fn = {2, 4}, float8_e5m2 = {2, 4},
}
local words = {int8 = 8, uint8 = 8, int16 = 16, uint16 = 16, int32 = 32, uint32 = 32}

-- The first element of a buffer or region, as {buffer, {indices}}.
local function corner(v)
  if ir.kind(v) == "buffer" then
    local at = {}
    for d = 1, #v.shape do at[d] = 0 end
    return {v, at}
  end
  return {v.buffer, ir.origin(v)}
end

-- Element i, j of the matrix in v's last dimensions.
local function element(v, i, j, transposed)
  local buffer, at = v[1], table.move(v[2], 1, #v[2], 1, {})
  local n = #at
  if transposed then
    i, j = j, i
  end
  at[n - 1], at[n] = at[n - 1] + i, at[n] + j
  return buffer[at]
end

-- Rows and columns of v, known numbers.
local function size(name, v, transposed)
  local n = #v.shape
  local rows, cols = math.tointeger(v.shape[n - 1]), math.tointeger(v.shape[n])
  if n < 2 or not rows or not cols then
    diag.fail("arg_value", "T.gemm_sp", name, W"a tile of 2 dimensions", n)
  end
  if transposed then
    return cols, rows
  end
  return rows, cols
end

-- What stands at place k of row i: one of the group's numbers, or zero.
local function spread(A, E, i, k, o)
  local kept, group = o.group[1], o.group[2]
  local g, p = k // group, k % group
  local word = ir.cast(element(E, i, k // o.factor, o.transpose_E), "int32")
  local code = ir.band(ir.shr(word, k % o.factor // group * 4), 15)
  local zero = ir.cast(0, o.dtype)
  if kept == 1 then -- 4: the first of two, 14: the second
    return ir.select(ir.eq(p, ir.select(ir.eq(code, 4), 0, 1)), element(A, i, g, o.transpose_A), zero)
  end
  local a, b = element(A, i, g * 2, o.transpose_A), element(A, i, g * 2 + 1, o.transpose_A)
  return ir.select(ir.eq(p, ir.band(code, 3)), a, ir.select(ir.eq(p, ir.shr(code, 2)), b, zero))
end

-- What no compression writes, of which hardware makes nonsense: the simulator looks.
local function presume(P, E, o)
  local group, factor = o.group[2], o.factor
  local i, g = ir.loop(P, "parallel", "i,g", nil, 0, o.M, 0, o.K // group)
  local per = factor // group
  local code = ir.band(ir.shr(ir.cast(element(E, i, g // per, o.transpose_E), "int32"), g % per * 4), 15)
  if o.group[1] == 1 then
    ir.assume(P, ir.or_(ir.eq(code, 4), ir.eq(code, 14)), "T.gemm_sp: a group's 4 bits in E are 4 (the first of its two numbers) or 14 (the second)")
  else
    ir.assume(P, ir.lt(ir.band(code, 3), ir.shr(code, 2)),
      "T.gemm_sp: a group's 4 bits in E name two places, the lower one in the lower 2 bits")
  end
  ir.close(P)
end

-- Raises unless the three fit together; what spread() has to know.
local function plan(A, E, B, o)
  local group, bits = group_of[A.dtype], words[E.dtype]
  if not group then
    diag.fail("arg_type", "T.gemm_sp", "A_sparse", "float32, float16, bfloat16, int8, uint8, float8_e4m3fn, float8_e5m2", A.dtype,
      "T.gemm_sp(A_sparse, E, B, C)")
  elseif not bits then
    diag.fail("arg_type", "T.gemm_sp", "E", "int8, int16, int32", E.dtype, "T.gemm_sp(A_sparse, E, B, C)")
  end
  local M, half = size("A_sparse", A, o.transpose_A)
  local K, KB = half * 2, size("B", B, o.transpose_B)
  local factor = bits // 4 * group[2]
  local rows, cols = size("E", E, o.transpose_E)
  if K ~= KB then
    diag.fail("gemm_sp_shape", "`A_sparse`", ("%d x %d"):format(M, half), "`B`",
      (o.transpose_B and "N x %d" or "%d x N"):format(KB), (o.transpose_B and "N x %d" or "%d x N"):format(K))
  elseif rows ~= M or cols * factor ~= K then
    diag.fail("gemm_sp_shape", "`A_sparse`", ("%d x %d"):format(M, half), "`E`", ("%d x %d"):format(rows, cols),
      ("%d x %g"):format(M, K / factor))
  end
  return {group = group, factor = factor, M = M, K = K, dtype = A.dtype, transpose_A = o.transpose_A,
    transpose_E = o.transpose_E}
end

registry.def {
  name = "gemm_sp",
  sig = "gemm_sp(A_sparse, E, B, C, transpose_A=False, transpose_E=False, transpose_B=False, " ..
    "policy=GemmWarpPolicy.Square, clear_accum=False, k_pack=1, wg_wait=0, annotations=None)",
  types = "A_sparse:region E:region B:region C:region transpose_A:bool transpose_E:bool transpose_B:bool policy:int " ..
    "clear_accum:bool k_pack:int wg_wait:int annotations:table", band = "B",
  summary = "C += A * B where two of each four numbers of A are kept (of float32 one of two); E says which. It is computed " ..
    "as a product of the whole A, spread out in shared memory",
  summary_zh = "C += A * B，A 每四个数只保留两个（float32 为每两个保留一个），位置由 E 给出；A 在共享内存中展开后按普通乘积计算",
  example = [[
local a, e = T.alloc_shared({32, 16}, T.float16), T.alloc_shared({32, 2}, T.int16)
T.copy(A[0, 0], a)
T.fill(e, 0x4444) -- the first two of each four
T.gemm_sp(a, e, Bs, Cl)]],
  fn = function(A, E, B, C, ta, te, tb, policy, clear)
    local P = trace.kernel("T.gemm_sp")
    local o = plan(A, E, B, {transpose_A = ta, transpose_E = te, transpose_B = tb})
    local dense = (ir.buffer(P, "shared", o.dtype, {o.M, o.K}, "dense"))
    ir.alloc(dense)
    presume(P, corner(E), o)
    local i, k = ir.loop(P, "parallel", "i,k", nil, 0, o.M, 0, o.K)
    dense[{i, k}] = spread(corner(A), corner(E), i, k, o)
    ir.close(P)
    ir.op(P, "gemm", {transpose_A = false, transpose_B = tb, policy = policy or 0, clear_accum = clear, k_pack = 1}, nil, nil,
      dense, B, C)
  end,
}

return {groups = group_of}
