-- tl/host/autograd.lua: derivatives of what operators of tl.host have computed.
--
--   x = tl.randn({4, 8}):requires_grad_()
--   tl.host.sum(x * x):backward()      x.grad is 2 x
--
-- registry.lua hands each row's fn to M.wrap.  Once somebody has asked for gradients, a call with a tensor
-- that requires them leaves a node: the row's `grad`, the arguments, the results, and for each argument the
-- node that it came from.  backward() goes through the nodes from the last to the first.
--
-- grad = function(c, g, ..) -> {gradient of argument i}; g, ..: the gradients of the results.  c:arg(i) and
-- c:out(i) are arguments and results, refused where they have been changed since; c[i] are arguments that
-- are no tensors.  What broadcasts need not be summed, nor dtypes converted: the engine does both.  Gradients, arguments
-- and results of float16 and bfloat16 come as float32, unless the row says `single`: its derivative moves elements, or
-- rounds once anyway.
-- grad = "parts": the row only calls rows, which leave nodes themselves; "none": only shapes and dtypes count.  A row without `grad` leaves a node
-- that says so when a gradient comes to it: what is not known is never taken for a constant.
--
-- Tensors that share memory: a change in place that leaves a node is marked in the storage (host.writes);
-- other tensors of it, whose history does not have that change, are refused where they are used next.

local diag = require "moontile.diag"
local host = require "moontile.host"
local tensor = require "moontile.tensor"
local rules = require("moontile.tl.tensor").rules

local M = {}

-- used: gradients have been asked for; on: calls leave nodes
local state = {used = false, on = true}

-- tensor -> {requires =, grad =, node =, slot =, retain =, at = changes of its storage that it has seen}
local known = setmetatable({}, {__mode = "k"})

local isplain, istensor = tensor.isplain, tensor.istensor

local function isfloat(t) return rules.dtype_info(t.dtype).class == "F" end

local function needs(t)
  local k = known[t]
  return k ~= nil and k.requires == true
end
M.needs = needs

function M.enabled() return state.on end

-- For a block: whether calls leave nodes.  local _ <close> = autograd.set(false)
function M.set(on)
  local was = state.on
  state.on = on
  return setmetatable({}, {__close = function() state.on = was end})
end

-- Without an end, for managers of Python's.
function M.switch(on)
  local was = state.on
  state.on = on
  return was
end

local function rows() return require("moontile.tl.host.registry").rows end

-- f(...) without nodes.
local function quietly(f, ...)
  local _ <close> = M.set(false)
  return table.pack(f(...))
end

-- Tensors among arguments ----------------------------------------------------------

-- visit(t, i, j) for each tensor of args, also in lists (j: its place in the list).
local function each(args, visit)
  for i = 1, args.n or #args do
    local v = args[i]
    if istensor(v) then
      visit(v, i)
    elseif isplain(v) then
      for j = 1, #v do
        if istensor(v[j]) then visit(v[j], i, j) end
      end
    end
  end
end

-- Refuses t where its memory was changed through another tensor in a way that t's history does not have.
local function fresh(name, t)
  local writes, followed = host.writes(t)
  local k = known[t]
  if followed > (k and k.at or 0) then
    diag.fail("grad_alias", name, rules.shape_text(t))
  end
  return writes
end

-- Does one of these require gradients?
local function followed(name, args)
  local any = false
  each(args, function(t)
    fresh(name, t)
    any = any or needs(t)
  end)
  return any
end

-- Results that leave no node have seen all changes so far.
local function seen(results)
  each(results, function(t)
    local writes, last = host.writes(t)
    if last > 0 and not (known[t] and known[t].requires) then
      known[t] = {at = writes}
    end
  end)
  return table.unpack(results, 1, results.n)
end

-- Nodes -----------------------------------------------------------------------------

-- Where the gradient of t goes.
local function edge(t)
  local k = known[t]
  return k.node and {node = k.node, slot = k.slot} or {leaf = t}
end

local Context = {}

-- A saved tensor, if it has not been changed since.
local function saved(node, list, at, i, j)
  local v = list[i]
  if j then v = v[j] end
  if istensor(v) and host.writes(v) ~= at[v] then
    diag.fail("grad_changed", v.dtype .. " " .. rules.shape_text(v), node.name)
  end
  return v
end

local half = {float16 = true, bfloat16 = true}

-- What a formula of several operators computes with: halves as float32, so that only its result is rounded.
local function wide(node, v)
  if node.formula and istensor(v) and half[v.dtype] then
    return v:astype "float32"
  end
  return v
end

local methods = {
  arg = function(c, i, j) return wide(c.node, saved(c.node, c.node.args, c.node.at, i, j)) end,
  out = function(c, i) return wide(c.node, saved(c.node, c.node.results, c.node.at, i or 1)) end,
  shape = function(c, i) return c.node.args[i].shape end, -- does not change
}
function Context.__index(c, k)
  if methods[k] then return methods[k] end
  return rawget(c, "node").args[k]
end

-- Results as a flat list: those of a row that gives one list are its elements.
local function flat(results)
  if results.n == 1 and isplain(results[1]) then
    return table.move(results[1], 1, #results[1], 1, {n = #results[1]})
  end
  return results
end

-- Makes the results of a call children of its arguments.  back: as a row's grad.
local function attach(name, args, results, back)
  local list = flat(results)
  local node = {name = name, back = back, args = args, results = list, edges = {}, at = {}}
  each(args, function(t, i, j)
    node.at[t] = host.writes(t)
    if needs(t) then
      node.edges[#node.edges + 1] = {to = edge(t), i = i, j = j, shape = t.shape, dtype = t.dtype}
    end
  end)
  for slot = 1, list.n do
    local t = list[slot]
    if istensor(t) then node.at[t] = node.at[t] or host.writes(t) end
    if istensor(t) and isfloat(t) then
      known[t] = {requires = true, node = node, slot = slot, at = node.at[t]}
    end
  end
  return node
end

local function unknown(name)
  return function() diag.fail("grad_missing", name) end
end

-- A call of a row with at least one tensor that requires gradients.
local function follow(row, raw, args)
  if row.grad == "parts" then
    return table.pack(raw(table.unpack(args, 1, args.n)))
  end
  local results = quietly(raw, table.unpack(args, 1, args.n))
  local node = attach(row.name, args, results, row.grad or unknown(row.name))
  node.formula = row.single ~= true
  return results
end

-- Changes in place --------------------------------------------------------------------

-- x has been changed; src (or nil: a constant): the tensor that it has its value from now.
local function changed(x, src)
  local from = src and needs(src) and {{to = edge(src), i = 1, shape = src.shape, dtype = src.dtype}}
  if from or needs(x) then -- what was followed stays so, as in PyTorch, where what it was gets zeros
    from = from or {}
    if needs(x) then
      from[#from + 1] = {to = edge(x), i = 2, shape = x.shape, dtype = x.dtype}
    end
    local node = {name = "copy_", args = {n = 0}, results = {n = 0}, at = {}, edges = from,
      back = function(_, g) return {g, tensor.new(g.shape, g.dtype)} end}
    known[x] = {requires = true, node = node, slot = 1, at = host.writes(x, true)}
  else
    known[x] = {at = host.writes(x, false)}
  end
  return x
end

local function refuse_leaf(x)
  local k = known[x]
  if k and k.requires and not k.node then
    diag.fail("grad_leaf")
  end
end

-- x:copy_(src) by the method of the type in C.
local function copy_into(x, src, ...)
  if state.used and state.on then
    refuse_leaf(x)
    fresh("copy_", x)
    if istensor(src) then fresh("copy_", src) end
    if needs(x) or istensor(src) and needs(src) then
      M.c_copy(x, src, ...)
      return changed(x, istensor(src) and src or nil)
    end
  end
  M.c_copy(x, src, ...)
  host.writes(x, false)
  return x
end

-- What x is now, with its history, for a derivative that needs it when x has been changed.
local function snapshot(x)
  local t = quietly(x.copy, x)[1]
  local k = known[x]
  known[t] = k and k.node and {requires = true, node = k.node, slot = k.slot, at = 0} or nil
  return t
end

-- A row that changes its first argument.
local function change(row, raw, args)
  local x = args[1]
  if not (state.on and followed(row.name, args)) then
    local r = quietly(raw, table.unpack(args, 1, args.n))
    if row.name ~= "copy_" and not row.of then host.writes(x, false) end
    return r
  end
  refuse_leaf(x)
  local pure = row.of and rows()[row.of] or row.inplace == "own" and rows()[row.name:sub(1, -2)]
  if row.name == "copy_" then
    return table.pack(copy_into(table.unpack(args, 1, args.n)))
  elseif pure then
    return table.pack(copy_into(x, (pure.fn(snapshot(x), table.unpack(args, 2, args.n)))))
  end
  local r = quietly(raw, table.unpack(args, 1, args.n))
  changed(x)
  return r
end

-- What registry.lua makes of a row's fn.
function M.wrap(row, raw)
  if row.plain then return raw end
  local run = row.name:find "[^_]_$" and change or follow
  return function(...)
    if not state.used then return raw(...) end
    local args = table.pack(...)
    if run == change then
      return seen(change(row, raw, args))
    elseif row.grad == "none" then
      return seen(quietly(raw, ...))
    elseif not (state.on and followed(row.name, args)) then
      return seen(table.pack(raw(...)))
    end
    return seen(follow(row, raw, args))
  end
end

-- A call of something else than a row, as one.
function M.call(name, back, f, ...)
  if not state.used then return f(...) end
  return M.wrap({name = name, grad = back, single = true}, f)(...)
end

-- A function of somebody's with a backward of his own: outputs (a list) become children of the tensors
-- in inputs; back(g ..) -> list of gradients by the place of the input.
function M.custom(name, inputs, outputs, back)
  return attach(name, inputs, outputs, function(_, ...) return back(...) end)
end

-- Backward -----------------------------------------------------------------------------

-- g summed over what was broadcast, in the dtype of what it is the gradient of.
local function fit(name, g, shape, dtype)
  local s = g.shape
  if #s ~= #shape or table.concat(s, ",") ~= table.concat(shape, ",") then
    local dims, lead = {}, #s - #shape
    for d = 1, #s do
      local have = shape[d - lead]
      if d <= lead or have == 1 and s[d] ~= 1 then
        dims[#dims + 1] = d - 1
      elseif have ~= s[d] then
        diag.fail("grad_shape", name, rules.shape_text(g), "(" .. table.concat(shape, ", ") .. ")")
      end
    end
    if lead < 0 then
      diag.fail("grad_shape", name, rules.shape_text(g), "(" .. table.concat(shape, ", ") .. ")")
    end
    if #dims > 0 then g = rows().sum.fn(g, dims, true) end
    g = rows().reshape.fn(g, table.move(shape, 1, #shape, 1, {}))
  end
  return g.dtype == dtype and g or g:astype(dtype)
end

-- Nodes in an order in which each comes before those that it has its arguments from.
local function order(roots)
  local list, mark, stack = {}, {}, {}
  local function push(node)
    if not mark[node] then
      mark[node] = true
      stack[#stack + 1] = {node = node, i = 0}
    end
  end
  for _, r in ipairs(roots) do
    push(r)
    while #stack > 0 do
      local top = stack[#stack]
      top.i = top.i + 1
      local e = top.node.edges[top.i]
      if e == nil then
        list[#list + 1] = top.node
        stack[#stack] = nil
      elseif e.to.node then
        push(e.to.node)
      end
    end
  end
  return list
end

local function sum(a, b)
  return a and rows().add.fn(a, b) or b
end

-- The gradients of a node's results, zeros where none came.
local function arrived(node, got)
  local list = {}
  for slot = 1, math.max(node.results.n or 0, 1) do
    local t = node.results[slot]
    list[slot] = got[slot] or (istensor(t) and isfloat(t) and not node.sparse and
      tensor.new(t.shape, t.dtype) or nil)
  end
  return list, math.max(node.results.n or 0, 1)
end

-- Sends gradients on from a node.  deliver(edge, g)
local function step(node, got, deliver)
  if not node.back then
    diag.fail("grad_freed")
  end
  local list, n = arrived(node, got)
  for slot = 1, n do
    list[slot] = wide(node, list[slot])
  end
  local grads = node.back(setmetatable({node = node}, Context), table.unpack(list, 1, n))
  for _, e in ipairs(node.edges) do
    local g = grads[e.i]
    if e.j and g then g = g[e.j] end
    if istensor(g) then
      deliver(e.to, fit(node.name, g, e.shape, e.dtype))
    end
  end
end

local function release(node)
  node.back, node.args, node.results, node.at = nil, {n = 0}, {n = 0}, {}
end

-- The gradient that a root begins with.
local function seed(root, g)
  if g == nil then
    if root:numel() ~= 1 then
      diag.fail("grad_scalar", rules.shape_text(root))
    end
    return tensor.new(root.shape, root.dtype):fill_(1)
  elseif rules.shape_text(g) ~= rules.shape_text(root) then
    diag.fail("grad_mismatch", rules.shape_text(g), rules.shape_text(root))
  end
  return g:astype(root.dtype)
end

-- From roots (a list of tensors) to all that they depend on.  wanted: nil: into .grad of leaves; a set of
-- tensors: what comes to these is given back by tensor.
local function run(roots, grads, retain, wanted)
  local _ <close> = M.set(false)
  local pending, first, found, at_node = {}, {}, {}, {}
  for t in pairs(wanted or {}) do
    local k = known[t]
    if k and k.node then
      at_node[k.node] = at_node[k.node] or {}
      at_node[k.node][k.slot] = t
    end
  end
  local function deliver(to, g)
    if to.node then
      pending[to.node] = pending[to.node] or {}
      pending[to.node][to.slot] = sum(pending[to.node][to.slot], g)
    elseif wanted == nil then
      local k = known[to.leaf]
      k.grad = k.grad and sum(k.grad, g) or g:copy()
    elseif wanted[to.leaf] then
      found[to.leaf] = sum(found[to.leaf], g)
    end
  end
  for i, root in ipairs(roots) do
    if not needs(root) then
      diag.fail("grad_none", i - 1)
    end
    local e = edge(root)
    first[#first + 1] = e.node
    deliver(e, seed(root, grads and grads[i]))
  end
  local list = order(first)
  for i = #list, 1, -1 do
    local node = list[i]
    local got = pending[node]
    if got then
      for slot, t in pairs(at_node[node] or {}) do found[t] = got[slot] end
      for slot, k in pairs(node.retained or {}) do k.grad = sum(k.grad, got[slot]) end
      step(node, got, deliver)
      pending[node] = nil
    end
  end
  for _, node in ipairs(retain and {} or list) do release(node) end
  return found
end

-- What users call --------------------------------------------------------------------

-- x from now on is followed, or not.
function M.require(x, on)
  local k = known[x]
  if on == false then
    if k and k.node then diag.fail("grad_nonleaf") end
    known[x] = k and {at = k.at, grad = k.grad} or nil
    return x
  elseif not isfloat(x) then
    diag.fail("grad_float", x.dtype)
  elseif not (k and k.requires) then
    state.used = true
    M.begin()
    known[x] = {requires = true, at = (host.writes(x)), grad = k and k.grad}
  end
  return x
end

function M.backward(x, gradient, retain, create)
  if create then diag.fail("grad_twice") end
  run({x}, {gradient}, retain)
end

-- Gradients of outputs by inputs; unused: nil stands for those that do not matter, else that is an error.
function M.grad(outputs, inputs, gradients, retain, create, unused)
  if create then diag.fail("grad_twice") end
  local wanted, list = {}, {}
  for i, t in ipairs(inputs) do
    if not needs(t) then diag.fail("grad_input", i - 1) end
    wanted[t] = true
  end
  local found = run(outputs, gradients, retain, wanted)
  for i, t in ipairs(inputs) do
    list[i] = found[t]
    if not list[i] and not unused then diag.fail("grad_unused", i - 1) end
  end
  return list
end

-- Another tensor with the same elements, without history.
function M.detach(x)
  local t = host.strided(x, x.shape, x.strides, (select(2, host.place(x))))
  known[t] = {at = (host.writes(x))}
  return t
end

-- x.grad is kept although x is no leaf.
function M.retain(x)
  local k = known[x]
  if not needs(x) then
    diag.fail("grad_none", 0)
  elseif k.node then
    k.node.retained = k.node.retained or {}
    k.node.retained[k.slot] = k
  end
  return x
end

function M.grad_of(x) return known[x] and known[x].grad end

function M.set_grad(x, g)
  known[x] = known[x] or {at = (host.writes(x))}
  known[x].grad = g
end

function M.is_leaf(x) return not (known[x] and known[x].node) end

-- The name of the operator that x came from, or nil.
function M.origin(x) return known[x] and known[x].node and known[x].node.name end

-- Indices, and what of the type is written in C ----------------------------------------

-- t[key] with a gradient.
local function at_back(c, g)
  local z = tensor.new(c:shape(1), g.dtype)
  host.put(z, c[2], g, "add")
  return {z}
end

-- t[key], always a tensor
function M.at(t, key)
  return (M.call("index", at_back, host.at, t, key))
end

local function put_back(c, g)
  local kept = g:copy()
  host.put(kept, c[2], 0)
  return {kept, nil, host.at(g, c[2])}
end

-- t[key] op= v: Python changes the view t[key], then assigns it to where it is.  t sees that change.
local function see_own(t, key, v)
  if istensor(v) and known[v] and host.place(v) == host.place(host.at(t, key)) then
    local k = known[t] or {}
    known[t] = {requires = k.requires, grad = k.grad, node = k.node, slot = k.slot, at = (host.writes(t))}
  end
end

-- t[key] = v
function M.put(t, key, v)
  if not (state.used and state.on and (needs(t) or istensor(v) and needs(v))) then
    host.put(t, key, v)
    if state.used then host.writes(t, false) end
    return
  end
  refuse_leaf(t)
  see_own(t, key, v)
  local function pure(x, k, value)
    local r = x:copy()
    host.put(r, k, value)
    return r
  end
  copy_into(t, (M.call("index_put", put_back, pure, t, key, v)))
end

-- Methods and fields of the type in C, followed from the first use on.
function M.begin()
  if M.begun then return end
  M.begun = true
  local own, meta = tensor.methods, tensor.meta
  local back = {
    astype = function(_, g) return {g} end, copy = function(_, g) return {g} end,
    contiguous = function(_, g) return {g} end,
  }
  for name, f in pairs(back) do
    local raw = own[name]
    own[name] = function(t, ...)
      if not istensor(t) then return raw(t, ...) end
      local r = M.call(name, f, raw, t, ...)
      return r
    end
  end
  M.c_copy = own.copy_
  own.copy_ = copy_into
  local fill = own.fill_
  function own.fill_(t, ...)
    local live = state.on and istensor(t) and needs(t)
    if live then refuse_leaf(t) end
    fill(t, ...)
    if live then return changed(t) end
    host.writes(t, false)
    return t
  end
  local index, newindex = meta.__index, meta.__newindex
  local turned = {T = "t", mT = "transpose"}
  function meta.__index(t, k)
    if k == "grad" then return M.grad_of(t) end
    if k == "requires_grad" then return needs(t) end
    if state.on and needs(t) then
      if turned[k] then return (rows()[turned[k]].fn(t)) end
      if type(k) ~= "string" then
        local r = index(t, k)
        return istensor(r) and M.at(t, k) or r
      end
    end
    return index(t, k)
  end
  function meta.__newindex(t, k, v)
    if k == "grad" then return M.set_grad(t, v) end
    if k ~= "requires_grad" and type(k) ~= "string" then return M.put(t, k, v) end
    return newindex(t, k, v)
  end
end

return M
