-- Fragments: element -> thread and slot, thread -> elements, warps, owners, folding.
local C = tl.layout.mma("m16n8k16", "C")
plot(C)
plot(C, "threads", {rows = {0, 3}})
plot(C, {owner = {9, 3}, rows = {8, 11}})
plot(C, {thread = 21, rows = {4, 7}})

-- more than fits: what repeats, and where to look
local D = tl.layout.wgmma(64, "D")
plot(D, {rows = {0, 3}})
plot(D, {owner = {37, 21}})
plot(D, "warps")
plot(D, "threads", {warp = 2, width = 60})

-- copies
plot(C:reduce(1))
plot(C:reduce(0), "warps")
plot(C:replicate(2), {rows = {0, 1}})
plot(C:replicate(8), {rows = {0, 1}})
plot(C:replicate(4), "warps")

-- other ranks
local cube = T.Fragment({2, 4, 8}, {
  thread = function(i, j, k) return j * 8 + k end, index = function(i) return i end})
plot(cube)
plot(cube, {slice = {1}})
plot(cube, {slice = {":", 3, ":"}})
plot(cube, {slice = {1, 2, ":"}})
plot(cube, "threads", {rows = {0, 2}})
plot(T.Fragment({40}, {thread = function(i) return i % 8 end, index = function(i) return i // 8 end}))

-- functions that are no sums of digits
local skew = T.Fragment({4, 4}, {thread = function(i) return i end,
  index = function(i, j) return (i + j) % 4 end})
plot(skew)
plot(skew, "threads")
plot(skew, {owner = {1, 2}})
plot(T.Fragment({4, 4}, {thread = function(i, j, rep) return (i * j + rep) % 4 end,
  index = function(i, j) return i end, replicate = 2}))
