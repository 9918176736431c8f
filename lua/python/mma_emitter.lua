-- python/mma_emitter.lua: TensorCoreIntrinEmitter, by which kernels for TileLang multiply with mma of single warps: what each lane loads
-- into its registers, the instructions, and where the sums belong.
--
--     e.ldmatrix_a(A_local, A_shared, ki)    a lane's 16 x k of each tile of its warp, in PTX' order of registers
--     e.ldmatrix_b(B_local, B_shared, ki)
--     e.mma(A_local, B_local, C_local)       m16n8 for all pairs of tiles
--     e.stmatrix(C_local, C)

local core = require "moontile.python.core"
local exc = require "moontile.python.exc"
local foreign = require "moontile.python.foreign"
local ir = require "moontile.ir"
local made = require "moontile.python.made"
local native = require "moontile.python.native"
local names = require("moontile.T.registry").names
local trace = require "moontile.T.trace"
local types = require "moontile.base.types"

local M = {}

local None, to_lua, from_lua = core.None, foreign.to_lua, foreign.from_lua

-- dtype -> its word in the names of instructions
local words = {float16 = "f16", bfloat16 = "bf16", int8 = "s8", uint8 = "u8", float8_e4m3fn = "e4m3", float8_e5m2 = "e5m2",
  float32 = "f32", int32 = "s32"}

local function no(what, instead)
  exc.fail("NotImplementedError", ("TensorCoreIntrinEmitter has no %s here: %s"):format(what, instead), nil, "TensorCoreIntrinEmitter")
end

-- Construction --------------------------------------------------------------------

-- The instruction of these types and this k.
local function instruction(e)
  local a, b, c = words[e.a_dtype], words[e.b_dtype], words[e.accum_dtype]
  if not a or not b or not c or a == "f32" or a == "s32" then
    no(("instruction for %s, %s and %s"):format(e.a_dtype, e.b_dtype, e.accum_dtype), "T.gemm multiplies those")
  end
  return ("mma.m16n8k%d.%s.%s%s"):format(e.k_dim, c, a, a ~= b and "." .. b or "")
end

local function dtype(v)
  return ir.dtypename(to_lua(v)) or exc.fail("ValueError", ("Unsupported dtype: %s"):format(core.late.str(v)))
end

local defaults = {a_dtype = "float16", b_dtype = "float16", accum_dtype = "float16", a_transposed = false, b_transposed = false,
  block_row_warps = 2, block_col_warps = 2, warp_row_tiles = 8, warp_col_tiles = 8, chunk = 16, reduce_k = 1,
  num_elems_per_byte = 1, is_m_first = false}

local order = {"a_dtype", "b_dtype", "accum_dtype", "a_transposed", "b_transposed", "block_row_warps", "block_col_warps",
  "warp_row_tiles", "warp_col_tiles", "chunk", "reduce_k", "num_elems_per_byte", "is_m_first", "thread_var"}

-- Arguments by position into e's attributes, and what is left out.
local function take(e, ...)
  for i, name in ipairs(order) do
    local v = select(i, ...)
    if v == nil or v == None then
      v = defaults[name]
    end
    e[name] = v
  end
  for _, name in ipairs {"a_dtype", "b_dtype", "accum_dtype"} do
    e[name] = dtype(e[name])
  end
end

local function whole(e, name, unit)
  if e[name] < unit or e[name] % unit ~= 0 then
    exc.fail("AssertionError", ("%s must be a multiple of %d, got %d"):format(name, unit, e[name]))
  end
end

local function init(e, ...)
  take(e, ...)
  local bits = types.info(e.a_dtype).bits
  whole(e, "warp_row_tiles", 16)
  whole(e, "warp_col_tiles", 8)
  e.WARP_SIZE, e.M_DIM, e.n_dim = 32, 16, e.warp_col_tiles % 16 == 0 and 16 or 8
  e.k_dim = math.min(256 // bits, e.chunk)
  e.micro_size_x, e.micro_size_y, e.micro_size_k = 16, e.n_dim, e.k_dim
  e.warp_rows, e.warp_cols = e.warp_row_tiles // 16, e.warp_col_tiles // e.n_dim
  e.local_size_a, e.local_size_b, e.local_size_out = 16 * e.k_dim // 32, e.n_dim * e.k_dim // 32, 16 * e.n_dim // 32
  e.threads = 32 * e.block_row_warps * e.block_col_warps * e.reduce_k
  e.mma_prefix, e.mma_num_inst_m, e.mma_num_inst_n = ("m16n8k%d"):format(e.k_dim), e.warp_rows, e.warp_cols
  if e.num_elems_per_byte ~= 1 then
    no("operands of less than a byte", "convert them first, or use T.gemm")
  end
  instruction(e)
  return None
end

-- Lanes ---------------------------------------------------------------------------

local function thread(e)
  return e.thread_var and to_lua(e.thread_var) or names.get_thread_binding.value(0)
end

-- lane, the warp's column, its row
local function place(e, id, m_first)
  local rows, cols = e.block_row_warps, e.block_col_warps
  local lane, first = id % 32, id // 32
  if m_first then
    return lane, first % cols, id // (32 * cols) % rows
  end
  return lane, id // (32 * rows) % cols, first % rows
end

-- Element i, j of the matrix in the last two dimensions of a buffer or region.
local function element(v, i, j)
  local whole_buffer = ir.kind(v) == "buffer"
  local buffer, at = whole_buffer and v or v.buffer, whole_buffer and {} or ir.origin(v)
  for d = #at + 1, #buffer.shape do at[d] = 0 end
  local n = #at
  at[n - 1], at[n] = at[n - 1] + i, at[n] + j
  return buffer, at
end

local function load_element(v, i, j)
  local buffer, at = element(v, i, j)
  return buffer[at]
end

-- Loops of the program over 0 .. n - 1 of each: body(indices..).
local function loops(kind, extents, body)
  local letters = {"i", "j", "r"}
  local P = trace.kernel "TensorCoreIntrinEmitter"
  local function nest(d, ...)
    if d > #extents then
      return body(...)
    end
    local v = ir.loop(P, kind, letters[d], nil, 0, extents[d])
    local list = table.pack(...)
    list[list.n + 1] = v
    nest(d + 1, table.unpack(list, 1, list.n + 1))
    ir.close(P)
  end
  nest(1)
end

-- n registers of a local array from `from` on.
local function registers(buffer, from, n)
  return buffer[names.slice.value(from, from + n)]
end

-- Steps --------------------------------------------------------------------------

-- Row and place along k of element r among a lane's of a tile; side "a": 16 rows, else `rows`.
local function where(e, bits, lane, r, a)
  local each = 32 // bits -- elements of a register
  local reg, t = r // each, lane % 4
  local half = 8 * each // 2 -- elements between two registers along k: 4 lanes of them
  if a then
    return lane // 4 + reg % 2 * 8, (t * each) + reg // 2 * half + r % each
  end
  local by_k = e.k_dim * bits // 128 -- registers of a tile of 8 columns
  return lane // 4 + reg // by_k * 8, t * each + reg % by_k * half + r % each
end

local function load_side(e, a, to, from, ki, rk)
  to, from, ki, rk = to_lua(to), to_lua(from), to_lua(ki), rk and to_lua(rk) or 0
  local bits = types.info(a and e.a_dtype or e.b_dtype).bits
  local lane, warp_n, warp_m = place(e, thread(e), e.is_m_first)
  local tiles, size = a and e.warp_rows or e.warp_cols, a and e.local_size_a or e.local_size_b
  local base = a and warp_m * e.warp_row_tiles or warp_n * e.warp_col_tiles
  local step = a and 16 or e.micro_size_y
  local swapped
  if a then swapped = e.a_transposed else swapped = not e.b_transposed end
  local k = ki * e.micro_size_k + rk * e.chunk
  loops("unroll", {tiles, size}, function(i, r)
    local row, col = where(e, bits, lane, r, a)
    row, col = base + i * step + row, k + col
    local v = swapped and load_element(from, col, row) or load_element(from, row, col)
    to[{i * size + r}] = ir.cast(v, to.dtype)
  end)
  return None
end

local function atom(e, A, B, C, i, j)
  local P = trace.kernel "TensorCoreIntrinEmitter.mma"
  local halves = e.n_dim // 8
  local nb, nc = e.local_size_b // halves, e.local_size_out // halves
  local at = (i * e.warp_cols + j) * e.local_size_out
  for h = 0, halves - 1 do
    ir.op(P, "mma", {}, nil, instruction(e), registers(A, i * e.local_size_a, e.local_size_a),
      registers(B, j * e.local_size_b + h * nb, nb), registers(C, at + h * nc, nc))
  end
end

-- Offsets of k_inner are those of fragments, which hold all steps; arrays of one step have none.
local function plain(what, k_inner)
  if k_inner ~= nil and to_lua(k_inner) ~= 0 then
    no(what .. " with k_inner", "load one step into T.alloc_local arrays")
  end
end

local function store(e, from, to, pid_m, pid_n)
  from, to = to_lua(from), to_lua(to)
  local lane, warp_n, warp_m = place(e, thread(e), e.is_m_first)
  local row, col = warp_m * e.warp_rows, warp_n * e.warp_cols
  if pid_m and pid_m ~= None and pid_n and pid_n ~= None then
    row = row + to_lua(pid_m) * (e.block_row_warps * e.warp_rows)
    col = col + to_lua(pid_n) * (e.block_col_warps * e.warp_cols)
  end
  local four = #to.shape == 4
  loops("unroll", {e.warp_rows, e.warp_cols, e.local_size_out}, function(i, j, r)
    local m, n = lane // 4 + r % 4 // 2 * 8, r // 4 * 8 + lane % 4 * 2 + r % 2
    local v = ir.cast(from[{(i * e.warp_cols + j) * e.local_size_out + r}], to.dtype)
    if four then
      to[{row + i, col + j, m, n}] = v
    else
      to[{(row + i) * 16 + m, (col + j) * e.n_dim + n}] = v
    end
  end)
  return None
end

M.TensorCoreIntrinEmitter = made.class("TensorCoreIntrinEmitter", "tilelang.cuda.intrinsics", {
  ["__init__(self, " .. table.concat(order, "?, ") .. "?)"] = init,
  ["get_thread_binding(self)"] = function(e) return from_lua(thread(e)) end,
  ["extract_thread_binding(self, thread_id, is_m_first?)"] = function(e, id, m_first)
    if m_first == nil or m_first == None then
      m_first = e.is_m_first
    end
    return core.tuple {place(e, to_lua(id), m_first)}
  end,
  ["ldmatrix_a(self, A_local_buf, A_shared_buf, ki, rk?)"] = function(e, ...) return load_side(e, true, ...) end,
  ["ldmatrix_b(self, B_local_buf, B_shared_buf, ki, rk?)"] = function(e, ...) return load_side(e, false, ...) end,
  ["mma(self, A_local_buf, B_local_buf, C_local_buf, k_inner?)"] = function(e, A, B, C, k_inner)
    plain("mma", k_inner)
    A, B, C = to_lua(A), to_lua(B), to_lua(C)
    loops("unroll", {e.warp_rows, e.warp_cols}, function(i, j) atom(e, A, B, C, i, j) end)
    return None
  end,
  ["mma_atom(self, A_local_buf, B_local_buf, C_local_buf, inst_m_idx, inst_n_idx, k_inner?)"] = function(e, A, B, C, i, j, k_inner)
    plain("mma_atom", k_inner)
    atom(e, to_lua(A), to_lua(B), to_lua(C), to_lua(i), to_lua(j))
    return None
  end,
  ["stmatrix(self, C_local_buf, C_buf, pid_m?, pid_n?)"] = store,
})

-- Swizzled layouts ----------------------------------------------------------------

-- get_swizzle_layout(i, j, row_size, dtype): where element i, j of a tile stands: 16 bytes of a row change places with
-- others, by the row; the tile of `swizzle_bytes` columns, the row, the column in it.
M.get_swizzle_layout = native.make("get_swizzle_layout", "row_idx, col_idx, row_size, dtype, swizzle_bytes?",
  function(row, col, size, d, swizzle)
    row, col = to_lua(row), to_lua(col)
    local bits = types.info(dtype(d)).bits
    local bytes = bits * size // 8
    if bytes % 32 ~= 0 then
      exc.fail("AssertionError", "Row size must be multiple of 32B.")
    end
    local each = 128 // bits
    local vectors = (swizzle and swizzle ~= None and swizzle or math.min(128, bytes)) // 16
    local chunk = col // each
    local moved = chunk % vectors ~ row % 8 // (8 // vectors)
    return core.tuple {from_lua(chunk // vectors), from_lua(row), from_lua(moved * each + col % each)}
  end)

return M
