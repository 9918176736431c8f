-- help/from_T.lua: the rows of T, from its registry, with the long texts of
-- help/text_*.lua.

local registry = require "moontile.T.registry"
local words = require "moontile.base.translations"

-- Files of lua/T, in the order in which their names are shown: group -> title.
local groups = {
  {id = "loops", en = "launches and loops", zh = "启动与循环"},
  {id = "memory", en = "buffers, variables, types of parameters", zh = "缓冲区、变量、参数类型"},
  {id = "tileops", en = "operations on tiles", zh = "分块操作"},
  {id = "values", en = "choices, conversions, constants", zh = "选择、转换、常数"},
  {id = "math", en = "arithmetic and functions", zh = "算术与函数"},
  {id = "atomics", en = "atomic operations", zh = "原子操作"},
  {id = "threads", en = "threads, warps, votes", zh = "线程、warp 与投票"},
  {id = "barriers", en = "barriers", zh = "屏障"},
  {id = "async", en = "asynchronous copies and products", zh = "异步复制与乘法"},
  {id = "layout", en = "layouts", zh = "布局"},
  {id = "func", en = "programs and macros", zh = "程序与宏"},
  {id = "bandb", en = "hints", zh = "提示"},
  {id = "init", en = "dtypes", zh = "dtype"},
}

local texts = {"tiles", "values", "threads"}

-- Literals of TileLang's signatures as Lua spells them.
local literals = {True = "true", False = "false", None = "nil"}

local function literal(s)
  if s and s:find "^GemmWarpPolicy" then
    return "T." .. s
  end
  return s and (literals[s] or s)
end

local function params(row)
  local list = {}
  for i, p in ipairs(row.params) do
    local c = row.checks[p.name]
    list[i] = {
      name = p.name, default = literal(p.text), optional = not p.required, named = p.named,
      kind = c and {en = c[2], zh = words.zh[c[2]] or c[2]}, choices = c and c.choices,
    }
  end
  return list
end

-- The group of a row: the file of lua/T that defines it.
local function group(row)
  local file = row.file and row.file:match "T/([%w_]+)%.lua"
  return file or "init"
end

local function add_row(help, row, more)
  local name = "T." .. row.name
  if row.later then
    help.row {
      name = name, kind = "T", later = true, use = row.use, blackwell = row.blackwell, sig = name, example = "",
      summary = row.blackwell and {en = "a TileLang name for Blackwell alone", zh = "TileLang 中仅用于 Blackwell 的名称"}
        or {en = "a TileLang name that this version does not have yet", zh = "TileLang 中的名称，此版本还没有"},
    }
    return
  end
  local extra = more[row.name] or row.alias_of and more[row.alias_of] or {}
  help.row {
    name = name, kind = "T", group = group(row), value = row.value,
    sig = "T." .. (row.alias_of and row.sig:gsub("^[%w_]+", row.name, 1) or row.sig),
    params = params(row), rest = row.rest,
    summary = {en = row.summary, zh = row.summary_zh},
    text = {en = extra.en or "", zh = extra.zh or ""}, see = extra.see,
    example = row.example, where = row.file, sample = row,
    alias_of = row.alias_of and "T." .. row.alias_of, band = row.band, threads = row.threads,
  }
end

return function(help)
  require "moontile.T"
  help.groups = groups
  local more = {}
  for _, part in ipairs(texts) do
    for name, t in pairs(require("moontile.help.text_" .. part)) do
      more[name] = t
    end
  end
  local names = {}
  for name in pairs(registry.names) do
    names[#names + 1] = name
  end
  table.sort(names)
  for _, name in ipairs(names) do
    add_row(help, registry.names[name], more)
  end
  return more
end
