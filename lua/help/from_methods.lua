-- help/from_methods.lua: the rows of what hangs on a value: k:bench, t:reshape,
-- t.shape.  The texts stand in help/of_*.lua, a list for each kind of value:
--
--   {kind = "kernel", var = "k", methods = the table they live in, {name, call,
--    en =, zh =, example =, [more = {en =, zh =}, see =, field = true, alias_of =]}, ..}
--
-- call: what stands behind the name in the signature, "{vs =, rounds =}".

local lists = {"kernel", "jit", "tensor", "layout", "results"}

local function add(help, list, d)
  local name, mark = d[1], d.field and "." or ":"
  local value = not d.field and list.methods and list.methods[name] or nil
  help.row {
    name = list.kind .. mark .. name, kind = list.kind, value = value, method = name,
    field = d.field, sig = d.sig or list.var .. mark .. name .. (d[2] or ""),
    summary = {en = d.en, zh = d.zh}, text = d.more, example = d.example, see = d.see,
    needs = d.needs, where = help.place(value),
    alias_of = d.alias_of and list.kind .. mark .. d.alias_of,
  }
end

return function(help)
  for _, part in ipairs(lists) do
    for _, list in ipairs(require("moontile.help.of_" .. part)) do
      for _, d in ipairs(list) do
        add(help, list, d)
      end
    end
  end
end
