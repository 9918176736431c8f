-- tl.host: making tensors, losses, places, messages: values that can be checked by eye.
local h = tl.host
print(h.zeros(2, 3).shape, h.ones({2}, {dtype = "int8"}), h.full({2}, 7), h.full({2}, true), h.new_zeros(tl.ones({1}, "float16"), 2).dtype)
print(h.arange(5), h.arange(1, 2, 0.5), h.linspace(0, 1, 5), h.logspace(0, 2, 3), h.eye(2), h.tri(2, 3))
print(h.tensor({{1, 2}, {3, 4}}), h.tensor({1, 2.5}), h.tensor({tl.ones {2}, tl.zeros {2}}), h.tensor(3).shape, h.tril_indices(2, 2))
print(h.randperm(100):sort():equal(tl.arange(100)), h.randint(3, {5}):max() < 3, tl.zeros({1000}):normal_(2, 0):mean(), tl.zeros {4}:uniform_(1, 2):ge(1):all())
print(h.meshgrid(tl.arange(2), tl.arange(3))[2], h.broadcast_tensors(tl.ones {2, 1}, tl.ones {3})[1].shape)

local t = tl.arange(12):reshape {3, 4}
print(t:view("int32").shape, tl.from_table({1.0}, "float32"):view("int32"), t:flatten(0, 1).shape, t:unflatten(1, {2, -1}).shape)
print(h.cat({t, t:float()}, 0).dtype, #t:split(3, 1), t:split({1, 3}, 1)[2], #t:chunk(3, 1), t:unbind(1)[2], t:narrow(1, -2, 2))
print(t:movedim(0, 1).shape, t.mT, t:diagonal(1), h.diag(tl.arange(2), 1), t:as_strided({2, 2}, {5, 1}, 1), t:unfold(1, 2, 2).shape)
print(t:repeats(1, 2), t:tile(2).shape, t:squeeze({0, 1}).shape, tl.ones {1, 2, 1}:squeeze({0, 2}).shape, t:expand(2, -1, 4).shape)
print(t:stride(0), t:data_ptr() == t.T:data_ptr(), t:data_ptr() == t[1]:data_ptr(), t[1]:storage_offset(), t:tolist()[2][1], t:element_size())

-- indexing: writing
local z = tl.zeros {3, 4}
z[{tl.ellipsis, 0}] = 1
z[{tl.slice(nil, nil, 2), tl.slice(1, nil, 2)}] = 2
z[{{0, 2}, {2, 2}}] = tl.from_table {7.0, 8}
z[z:eq(2)] = -1
print(z, z[tl.from_table {2, 0}], z[{tl.slice(), tl.from_table {true, false, false, true}}])
h.index_put_(z, {tl.from_table {0, 0, 0}}, 10, true)
print(z, h.index_add(tl.zeros {3}, 0, tl.from_table {1, 1}, tl.ones {2}), h.scatter_reduce(tl.ones {3}, 0, tl.from_table {0, 0, 2}, tl.from_table {5.0, 7, 9}, "mean"))

-- what a method gives Lua
print(t:sum(), t:float():std(), t:amax(), t:any(), t:sum(0), t:sum({0, 1}), h.sum(t).ndim, t:max(1, true))
print(h.median(tl.from_table {3, 1, 2, 9}), h.norm(tl.from_table {3.0, 4}), h.norm(tl.from_table {3.0, -4}, math.huge), h.kthvalue(tl.from_table {5, 3, 4}, 2))

-- losses and the like
local x = tl.from_table {{1.0, 2, 3}, {1, 2, 3}}
print(h.cross_entropy(x, tl.from_table {2, 0}), h.cross_entropy(x, tl.from_table {2, -100}), h.cross_entropy(x, tl.from_table {2, 0}, nil, {label_smoothing = 0.1}))
print(h.cross_entropy(x, h.softmax(x, 1), {reduction = "none"}), h.mse_loss(x, x + 1), h.l1_loss(x, x - 2, {reduction = "sum"}), h.kl_div(h.log_softmax(x, 1), h.softmax(x, 1), {reduction = "sum"}):abs():lt(1e-6))
print(h.one_hot(tl.from_table {0, 2}), h.embedding(tl.from_table {{1}}, x), h.normalize(tl.from_table {{3.0, 4}}), h.dropout(x, 0.5, false):equal(x))
print(h.linear(x, tl.ones {2, 3}, tl.from_table {1.0, 2}), h.addmm(tl.ones {2, 2}, x, x.T, {beta = 2}), h.gelu(tl.from_table {1.0}), h.gelu(tl.from_table {1.0}, {approximate = "tanh"}))
print(h.isclose(tl.from_table {1.0, 0 / 0, math.huge}, tl.from_table {1.000001, 0 / 0, math.huge}), h.allclose(x, x + 1e-9), h.equal(x, x:half()))
print(h.logaddexp(tl.from_table {-math.huge}, tl.from_table {-math.huge}), h.softmax(tl.from_table {-math.huge, 0.0}, 0), h.logsumexp(tl.from_table {-math.huge, -math.huge}, 0))
print(tl.from_table({200, 100}, "uint8") + tl.from_table({100, 1}, "uint8"), tl.from_table {7, -7} // 2, tl.from_table {7, -7} % -3, h.div(tl.from_table {7, -7}, 2, {rounding_mode = "trunc"}))
print(tl.from_table({3}, "int32"):bitwise_not(), ~tl.from_table {true}, tl.from_table {6} & 3, tl.from_table {6} | 1, tl.from_table {6} ~ 3, tl.from_table {1} << 4)

local function try(...)
  local ok, e = pcall(...)
  print(ok and "no error" or e.code .. " " .. e.message .. " | " .. e.label .. " | " .. e.help)
end
try(h.matmul, tl.ones {2, 3}, tl.ones {2, 3})
try(h.einsum, "ij,jk->ik", tl.ones {2, 3}, tl.ones {4, 3})
try(h.einsum, "ij,jk->iz", tl.ones {2, 3}, tl.ones {3, 3})
try(h.einsum, "ijk->i", tl.ones {2, 3})
try(h.rearrange, tl.ones {6, 2}, "(a b) c -> a b c", {a = 4})
try(h.rearrange, tl.ones {6, 2}, "a b -> a")
try(function() return t[tl.ones({4}, "bool")] end)
try(function() return t[{tl.from_table {0, 3}}] end)
try(function() return t[tl.slice(0, 3, 0)] end)
try(function() t:add_(0.5) end)
try(h.gather, t, 1, tl.from_table {{9}})
try(h.cat, {t, tl.ones {2, 3}}, 0)
try(h.softmax, t, 2)
try(h.sum, t, {dimm = 1})
try(h.clamp, t, "x")
try(h.pow, t, -1)
try(h.bitwise_and, x, 1)
try(t.reshape, t, 5, -1)
try(h.topk, t, 9)
try(h.assert_close, x, x + 1)
try(h.assert_close, x, x:half())
try(h.assert_close, x, x + 1e-7)
local ok, e = pcall(h.assert_close, x, x * tl.from_table {1.0, 1.001, 1})
print(tostring(e))
-- for another language: arguments by position, and by name
local apply = require("moontile.tl.host.registry").apply
print(apply("sum", {t}, 1, {axis = 0}), apply("rearrange", {t, "a (b c) -> b a c"}, 2, {b = 2}).shape, apply("add_", {t, 1}, 2)[2])
-- `(...)` is one axis, `...` as many as there are.
print(table.concat(tl.host.rearrange(tl.zeros {2, 3, 4}, "b ... -> b (...)").shape, " "),
  table.concat(tl.host.rearrange(tl.zeros {2, 3, 4}, "b ... -> (...) b").shape, " "),
  table.concat(tl.host.rearrange(tl.zeros {2, 3, 4}, "b ... -> ... b").shape, " "),
  table.concat(tl.host.rearrange(tl.zeros {2, 3}, "a b -> (a) b").shape, " "))
