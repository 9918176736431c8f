-- tiles.lua: what the interpreter does for operations of whole tiles.
local types = require "hunt.types"
local M = {}

-- Adds them to `stat`, and to `values` the expressions that look at tiles.  `of`: what interp.lua lends.
function M.add(stat, values, of)
  local expr, storage, watched_index, outside = of.expr, of.storage, of.watched_index, of.outside
  local combiner, each, invalid, spend = of.combiner, of.each, of.invalid, of.spend

  -- A region's box: its origin when it runs and its extents; dimensions of one index count as extent 1.
  local function region(S, r)
    local from, b = {}, S.bufs[r.buf]
    for d = 1, #b.shape do
      from[d] = r.from and expr(S, r.from[d])
      if from[d] and b.scope == "global" then from[d] = watched_index(S, from[d]) end
    end
    return b, storage(S, r.buf), r.extents or b.shape, from
  end

  local function accessor(S, r)
    local b, root, extents, from = region(S, r)
    local global, zero, shape = b.scope == "global", types.zero(b.dtype), b.shape
    local origin = {}
    local function start()
      for d = 1, #shape do origin[d] = from[d] and from[d]() or 0 end
    end
    local function flat(at)
      local p, inside = 0, true
      for d = 1, #shape do
        local i = origin[d] + at[d]
        if i < 0 or i >= shape[d] then inside = false end
        p = p * shape[d] + i
      end
      if not inside and not global then invalid("region outside of " .. r.buf) end
      return inside and p
    end
    local function get(at)
      local p = flat(at)
      if not p then return outside(b, zero) end
      local v = root.data[p]
      if v == nil then invalid("read of " .. r.buf .. " before it is written") end
      return v
    end
    local function put(at, v)
      local p = flat(at)
      if p then root.data[p] = v end
    end
    return {start = start, get = get, put = put, extents = extents, dtype = b.dtype, buf = b}
  end

  -- Extents of more than one element pair up from the last.
  local function wide(extents)
    local list = {}
    for d, n in ipairs(extents) do if n ~= 1 then list[#list + 1] = d end end
    return list
  end

  function stat.copy(S, s)
    local src, dst = accessor(S, s.src), accessor(S, s.dst)
    local cast = types.cast(src.dtype, dst.dtype)
    local ws, wd = wide(src.extents), wide(dst.extents)
    return function()
      src.start()
      dst.start()
      local values, to, from = {}, {}, {}
      for d = 1, #src.extents do from[d] = 0 end
      each(dst.extents, function(at)
        for i, d in ipairs(wd) do from[ws[i]] = at[d] end
        values[#values + 1] = cast(src.get(from))
        to[#to + 1] = {table.unpack(at)}
      end)
      for i, v in ipairs(values) do dst.put(to[i], v) end
    end
  end

  function stat.fill(S, s)
    local dst, v = accessor(S, s.dst), expr(S, s.e)
    local cast = types.cast(s.e.t, dst.dtype)
    return function()
      dst.start()
      local value = cast(v())
      each(dst.extents, function(at) dst.put(at, value) end)
    end
  end

  function stat.reduce(S, s)
    local src, dst = accessor(S, {buf = s.src}), accessor(S, {buf = s.dst})
    local f, f_abs = combiner(s.kind, dst.dtype), s.kind:match "^abs"
    local axis, keep = s.dim + 1, #dst.extents == #src.extents
    return function()
      src.start()
      dst.start()
      local result, where = {}, {}
      each(dst.extents, function(at)
        local from = {table.unpack(at)}
        if keep then from[axis] = 0 else table.insert(from, axis, 0) end
        if #src.extents == 1 then from = {0} end
        local v
        if not s.clear then v = dst.get(at) end
        for i = 0, src.extents[axis] - 1 do
          from[axis] = i
          local w = src.get(from)
          if v == nil then
            v = f_abs and f(types.zero(dst.dtype), w) or w
          else
            v = f(v, w)
          end
        end
        result[#result + 1], where[#where + 1] = v, {table.unpack(at)}
      end)
      for i, v in ipairs(result) do dst.put(where[i], v) end
    end
  end

  function stat.scan(S, s)
    local src, dst = accessor(S, {buf = s.src}), accessor(S, {buf = s.dst})
    local f, axis = combiner(s.kind, dst.dtype), s.dim + 1
    return function()
      src.start()
      dst.start()
      local lines = {table.unpack(src.extents)}
      local n = lines[axis]
      lines[axis] = 1
      each(lines, function(at)
        local from, v = {table.unpack(at)}, nil
        for i = 0, n - 1 do
          from[axis] = s.reverse and n - 1 - i or i
          local w = src.get(from)
          v = v == nil and w or f(v, w)
          dst.put(from, v)
        end
      end)
    end
  end

  function stat.transpose(S, s)
    local src, dst = accessor(S, {buf = s.src}), accessor(S, {buf = s.dst})
    return function()
      src.start()
      dst.start()
      each(src.extents, function(at) dst.put({at[2], at[1]}, src.get(at)) end)
    end
  end

  function stat.sum(S, s)
    local src, dst = accessor(S, s.src), accessor(S, s.dst)
    local f = combiner(s.op, dst.dtype)
    return function()
      src.start()
      dst.start()
      each(src.extents, function(at) dst.put(at, f(dst.get(at), src.get(at))) end)
    end
  end

  function stat.gemm(S, s)
    local A, B, C = accessor(S, {buf = s.a}), accessor(S, {buf = s.b}), accessor(S, {buf = s.c})
    local K = A.extents[s.ta and 1 or 2]
    local t = types.of[C.dtype]
    return function()
      A.start()
      B.start()
      C.start()
      -- rows of A and columns of B first, each element read once
      local rows, columns = {}, {}
      for i = 0, C.extents[1] - 1 do
        rows[i] = {}
        for k = 0, K - 1 do rows[i][k] = A.get(s.ta and {k, i} or {i, k}) end
      end
      for j = 0, C.extents[2] - 1 do
        columns[j] = {}
        for k = 0, K - 1 do columns[j][k] = B.get(s.tb and {j, k} or {k, j}) end
      end
      each(C.extents, function(at)
        local row, column = rows[at[1]], columns[at[2]]
        local v = s.clear and types.zero(C.dtype) or C.get(at)
        for k = 0, K - 1 do v = v + row[k] * column[k] end
        if t.kind == "int" then
          v = t.wrap(v)
        elseif t.round(v) ~= v or math.abs(v) > t.whole then
          invalid "a product that rounds"
        end
        C.put(at, v)
      end)
      spend(S, K * C.extents[1] * C.extents[2] // 8)
    end
  end

  -- Is any element, are all elements of a region non-zero?
  function values.any(S, e)
    local src, all = accessor(S, e), e.op == "all_of"
    return function()
      src.start()
      local n, found = 0, 0
      each(src.extents, function(at)
        local v = src.get(at)
        n = n + 1
        if v ~= false and v ~= 0 then found = found + 1 end
      end)
      if all then return found == n end
      return found > 0
    end
  end
end

return M
