-- help/from_tl.lua: the rows of tl and its parts, from their doc tables.
--
-- doc[name] = {sig =, summary =, summary_zh =, example =, [text =, text_zh =, see =]};
-- a name with a colon, "kernel:bench", is a method's.

-- A long summary is a line and a text: cut at the first semicolon.
local function cut(s, mark, long)
  local at, last = s:find(mark, 1, true)
  if long and at then
    return s:sub(1, at - 1), s:sub(last + 1)
  end
  return s, ""
end

local function texts(d)
  local long = #d.summary > 90
  local en, more = cut(d.summary, "; ", long)
  local zh, more_zh = cut(d.summary_zh or d.summary, d.summary_zh and "；" or "; ", long)
  local function ended(s, stop)
    return s == "" and "" or s .. stop
  end
  return {en = en, zh = zh}, {
    en = d.text or ended(more, "."),
    zh = d.text_zh or d.text or ended(more_zh, "。"),
  }
end

-- Parts of tl: kind -> module and how many letters of a name say the part again.
local parts = {
  {kind = "tl", module = "moontile.tl"},
  {kind = "tl.host", module = "moontile.tl.host"},
  {kind = "tl.layout", module = "moontile.tl.layout"},
  {kind = "tl.ops", module = "moontile.ops"},
  {kind = "tl.ref", module = "moontile.tl.ref"},
  {kind = "tl.testing", module = "moontile.tl.testing"},
  {kind = "tl.profiler", module = "moontile.tl.profiler"},
}

-- "ref.matmul" of tl.ref -> "matmul"
local function plain(kind, name)
  local part = kind:match "%.(.*)$"
  return part and name:match("^" .. part .. "%.(.*)$") or name
end

local function add(help, kind, module, name, d)
  local owner, method = name:match "^(%w+):(.*)$"
  local short = plain(kind, name)
  local summary, text = texts(d)
  local value = not owner and rawget(module, short)
  if value == nil and not owner then
    value = module[short]
  end
  help.row {
    name = owner and name or kind .. "." .. short, kind = owner or kind, value = value or nil,
    sig = owner and d.sig or kind .. "." .. plain(kind, d.sig), needs = d.needs,
    summary = summary, translated = d.summary_zh ~= nil, text = text, example = d.example,
    see = d.see, method = method,
    where = help.place(value),
  }
end

-- Modules that document methods of kernels: name -> {sig =, ..}.
local of_kernels = {"buffers", "trace"}

local function add_methods(help)
  local methods = require("moontile.tl.kernel").methods
  for _, part in ipairs(of_kernels) do
    for name, d in pairs(require("moontile.tl." .. part).doc or {}) do
      if methods[name] then
        local summary, text = texts(d)
        help.row {
          name = "kernel:" .. name, kind = "kernel", method = name, value = methods[name],
          sig = d.sig, summary = summary, translated = d.summary_zh ~= nil, text = text,
          example = d.example, see = d.see, where = help.place(methods[name]),
        }
      end
    end
  end
end

return function(help)
  add_methods(help)
  for _, p in ipairs(parts) do
    local module, names = require(p.module), {}
    for name in pairs(module.doc or {}) do
      names[#names + 1] = name
    end
    table.sort(names)
    for _, name in ipairs(names) do
      add(help, p.kind, module, name, module.doc[name])
    end
  end
end
