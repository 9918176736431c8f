-- Layouts as objects: instruction fragments, TileLang's algebra, CuTe, swizzles.
local layout = tl.layout

local function show(what, ...)
  print("-- " .. what)
  for _, v in ipairs {...} do
    print(tostring(v))
  end
end

local function equal(what, a, b)
  if a ~= b then
    print(("%s: %s, wanted %s"):format(what, tostring(a), tostring(b)))
  end
end

-- what matrix instructions hold, against the formulas of their manuals ---------------------------

local function fragment(what, l, warp, f)
  for t = 0, l:get_thread_size() - 1 do
    for slot = 0, l:get_register_size() - 1 do
      local i, j = f(t % warp, slot, t // warp)
      local thread, at = l:at(i, j)
      if thread ~= t or at ~= slot then
        return print(("%s: (%d, %d) is at %d %d, wanted %d %d"):format(what, i, j, thread, at, t, slot))
      end
      local x, y = l:inverse():at(t, slot)
      if x ~= i or y ~= j then
        return print(("%s: inverse of %d %d"):format(what, t, slot))
      end
    end
  end
end

fragment("A16", layout.mma("m16n8k16", "A"), 32,
  function(l, i) return l // 4 + 8 * (i // 2 % 2), 2 * (l % 4) + i % 2 + 8 * (i // 4) end)
fragment("B16", layout.mma("m16n8k16", "B"), 32,
  function(l, i) return 2 * (l % 4) + i % 2 + 8 * (i // 2), l // 4 end)
fragment("C", layout.mma("m16n8k16", "C"), 32,
  function(l, i) return l // 4 + 8 * (i // 2), 2 * (l % 4) + i % 2 end)
fragment("A8", layout.mma("m16n8k32", "A", {dtype = "int8"}), 32,
  function(l, i) return l // 4 + 8 * (i // 4 % 2), 4 * (l % 4) + i % 4 + 16 * (i // 8) end)
fragment("D", layout.wgmma(64, "D"), 32, function(l, r, w)
  return 16 * w + l // 4 + 8 * (r // 2 % 2), 8 * (r // 4) + 2 * (l % 4) + r % 2
end)
fragment("mfma D", layout.mfma("16x16x16", "D"), 64,
  function(l, i) return 4 * (l // 16) + i, l % 16 end)
fragment("mfma C swapped", layout.mfma("16x16x16", "C", {swapped = true}), 64,
  function(l, i) return l % 16, 4 * (l // 16) + i end)
fragment("mfma 32 D", layout.mfma("32x32x8", "D"), 64,
  function(l, i) return 8 * (i // 4) + 4 * (l // 32) + i % 4, l % 32 end)
fragment("c500 A", layout.c500("16x16x16", "A", {dtype = "int8"}), 64,
  function(l, i) return l % 16, 4 * (l // 16) + i end)
show("mma C", layout.mma("m16n8k16", "C"), layout.mma("m16n8k16", "C"):modes())
show("wgmma A", layout.wgmma(128, "A"):modes())
show("call", layout.mma("m16n8k16", "C")(9, 3))

-- TileLang's algebra ------------------------------------------------------------------------------

local seed = T.make_gemm_fragment_8x8()
local block = seed:repeat_({2, 1}):repeat_({2, 2}, {repeat_on_thread = true, lower_dim_first = false})
  :repeat_({2, 4}, false, false)
for i = 0, 63 do
  for j = 0, 63 do
    equal("block", (block:at(i, j)), 4 * (i % 8) + j % 8 // 2 + 32 * (i // 16 % 2) + 64 * (j // 8 % 2))
  end
end
equal("threads", block:get_thread_size(), 128)
equal("slots", block:get_register_size(), 32)
show("64x64 on 2x2 warps", block:text(), table.unpack(block:get_forward_index()))
show("its rows", block:reduce(1):text(), table.concat(block:reduce(1):owner(0), " "))
show("transposed seed", T.make_gemm_fragment_8x8_transposed():text())
local many = seed:replicate(4)
show("replicated", many:text(), table.concat(many:owner(0, 0), " "), many:condense_rep_var():text())
local blunt = T.Fragment({4}, {thread = function(i, rep) return i * 8 + rep // 2 end,
  index = function() return 0 end, replicate = 16})
show("copies that share a thread go", blunt.copies, blunt:condense_rep_var().copies,
  blunt:condense_rep_var():text())
show("conversions", layout.mma("m16n8k16", "C"):convert(layout.mma("m16n8k16", "C")),
  layout.mma("m16n8k16", "B"):reshape {8, 16}:convert(layout.mma("m16n8k16", "C"):reshape {8, 16}))

local L = T.Layout({4, 8}, function(i, j) return {j, i} end)
show("transposed", L:text(), L:at(1, 2), L:repeat_(1, 2):text(), L:expand {3}:text(),
  L:reshape {2, 16}:text(), table.unpack(L:get_forward_index()))
local i, j = L:inverse():at(2, 1)
show("inverse", i, j, L:inverse():text(), L:owner(2, 1))
show("composed", L:compose(L:inverse()):text(), L:inverse():compose(L):text())
equal("is_equal", L:is_equal(T.Layout({4, 8}, function(a, b) return b * 4 + a end)), true)
equal("is_equal", L:is_equal(T.Layout({4, 8}, function(a, b) return a * 8 + b end)), false)

-- memory --------------------------------------------------------------------------------------------

for _, mode in ipairs {128, 64, 32} do
  local s = layout.swizzle {rows = 16, bytes = 128, mode = mode}
  local mask = mode == 128 and 0x70 or mode == 64 and 0x30 or 0x10
  for r = 0, 15 do
    for b = 0, 127 do
      local a = b // mode * 16 * mode + r * mode + b % mode
      equal("swizzle " .. mode, s:at(r, b), a ~ (a >> 3 & mask))
    end
  end
end
local s = layout.swizzle {rows = 64, bytes = 128, mode = 128, dtype = "float16"}
show("swizzle", s, s:modes(), s:get_linearized_forward_index())
show("what it saves", s:conflicts {access = "ldmatrix"},
  layout.linear {64, 64}:conflicts {access = "ldmatrix"},
  layout.padded({64, 64}, "float16"):conflicts {access = "columns"},
  layout.linear {64, 64}:conflicts {access = "columns", vector = 2})
show("an accumulator stored", layout.linear {16, 64}:conflicts {access = layout.mma("m16n8k16", "C"), vector = 2},
  layout.swizzle {rows = 16, bytes = 128, dtype = "float16"}
    :conflicts {access = layout.mma("m16n8k16", "C"), vector = 2})
show("conflicts by hand", layout.linear {32, 32}:conflicts {bits = 32, vector = 1,
  access = function(lane) return lane, 3 end}.ways)
local c = layout.cute "(8,(4,2)):(4,(1,32))"
show("cute", c, c:modes(), c:at(1, 5), layout.cute "((2,4),8)":text(), layout.cute "6:2":text())
show("read back", layout.parse(c:text()):text(), layout.parse(block:text()):owner(9, 3)[1])
show("an XOR found", T.Layout({32, 32}, function(a, b)
  return a * 32 + (b // 8 ~ a % 4) * 8 + b % 8
end):modes())
show("sizes that are no powers of two", T.Fragment({192, 3}, {
  thread = function(a) return a % 96 end,
  index = function(a, b) return a // 96 * 3 + b end}):modes())

-- in a kernel ------------------------------------------------------------------------------------------

local f = tl.jit(function(A)
  A: T.Tensor({64, 64}, "float16")
  local B = T.empty({64, 64}, "float16")
  for bx in T.Kernel(1, {threads = 128}) do
    local x, y, z = T.alloc_shared({64, 64}, "float16"), T.alloc_shared({2, 64, 64}, "float16"),
      T.alloc_shared({8, 64}, "float16")
    local r, q = T.alloc_fragment({64, 64}, "float16"), T.alloc_fragment({4}, "float32")
    T.annotate_layout {
      [x] = T.make_swizzled_layout(x), [y] = T.make_half_bank_swizzled_layout(y),
      [z] = function(a, b) return b * 8 + a end,
      [r] = T.Fragment({64, 64}, {thread = function(a, b) return a // 16 * 32 + a % 8 * 4 + b // 2 % 4 end,
        index = function(a, b) return b % 2 + a // 8 % 2 * 2 + b // 8 * 4 end}),
      [q] = T.make_fully_replicated_layout_fragment(q, 128),
    }
    T.copy(A, x) T.copy(x, r) T.copy(r, B) T.clear(y) T.clear(z) T.clear(q)
  end
  return B
end)
for line in f:compile():ir():gmatch "[^\n]*layout=[^\n]*" do
  print((line:gsub(" @.*", "")))
end
