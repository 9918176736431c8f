-- classes.lua: why a file of a corpus does not run here, from the message that ended it.

local M = {}

-- Classes that the figures leave out.
M.excluded = {
  ["Blackwell only"] = true, ["other hardware"] = true, ["third-party module"] = true, ["third-party C++"] = true,
  ["wrong on purpose"] = true,
}

-- class, what stands in the path of its files, what in their texts
local beyond = {
  {"other hardware", {"/amd/", "_amd"}, {"mfma_", "MatrixCoreIntrinEmitter", "rocdl", "gfx950"}},
  {"Blackwell only", {"sm100", "sm120", "tcgen05", "blockscaled"},
    {"tcgen05", "alloc_tmem", "clc_try_cancel", "arch=sm_100", "arch=sm_120"}},
  {"wrong on purpose", {"/autodd/"}, {}},
}

local function any(text, words)
  for _, w in ipairs(words) do
    if text:find(w, 1, true) then
      return true
    end
  end
end

-- Do its kernels call C++ of a header beside it that is written with CUTLASS?
local function calls_cutlass(path, text, read)
  for name in text:gmatch '"([%w_/]+%.h)"' do
    local header = text:find("T.call_extern", 1, true) and read((path:match "^.*/" or "") .. name)
    if header and header:find "#include <cut[el][^>]*/" then
      return true
    end
  end
end

-- What keeps a file from running here that no work on moontile would change, nil: nothing.  read(path): a file's text.
function M.beyond(path, text, read)
  if calls_cutlass(path, text, read) then
    return "third-party C++"
  end
  text = text:gsub('""".-"""', ""):gsub("#[^\n]*", "") -- what a file says of others
  for _, row in ipairs(beyond) do
    if any(path, row[2]) or any(text, row[3]) then
      return row[1]
    end
  end
end

-- Modules that are ours to have, or Python's.
local own = {}
for name in ([[
  tilelang torch tvm einops numpy np argparse itertools functools math typing time dataclasses json random os sys re
  enum collections contextlib abc logging hashlib pytest copy warnings pathlib subprocess inspect types ctypes struct
  threading string operator statistics tempfile shutil glob csv pprint unittest textwrap traceback platform
  __future__ tqdm
]]):gmatch "%S+" do
  own[name] = true
end

-- id of the message -> class
local by_id = {
  t_later = "T name", t_later_use = "T name", t_blackwell = "Blackwell only", t_near = "T name", t_unknown = "T name",
  py_import = "host name", py_import_near = "host name", py_attribute = "host name", py_attribute_near = "host name",
  py_raised = "host name", host_later = "host name", host_later_use = "host name", py_name = "host name",
  option_unknown = "option", option_near = "option", arg_unknown = "option", arg_near = "option",
  unseen_value = "asks for a value",
  py_os = "file that is not there", py_assert = "assertion",
}

-- The first module of a text "No module named 'a.b'", nil: it speaks of something else.
local function module_of(text)
  return text:match "No module named '([%w_]+)" or text:match "cannot import name '[%w_]+' from '([%w_]+)"
end

-- The module that a name is imported from where that may fail: "try: from fla.ops import f", of f, fla; or nil.
local function guarded(name, text)
  for module, names in text:gmatch "\n%s+from%s+([%w_]+)[%w_.]*%s+import%s+(%b())" do
    if names:find("%f[%w_]" .. name .. "%f[^%w_]") then return module end
  end
  for module, names in text:gmatch "\n%s+from%s+([%w_]+)[%w_.]*%s+import%s+([^\n]*)" do
    if names:find("%f[%w_]" .. name .. "%f[^%w_]") then return module end
  end
end

-- why: {code =, id =, text =}; has(name): is there a module of this name in the checkout?  text(path): a file's there
function M.of(why, has, text)
  if why.code == "time" or why.code == "crash" then
    return why.code
  end
  local module = why.code ~= "lua" and module_of(why.text)
  local unbound = why.text:match "^NameError: name '([%w_]+)'"
  module = module or unbound and guarded(unbound, text(why.place:match "^(.*):%d+$") or "")
  if module and has(module) then
    return "module elsewhere in the checkout"
  elseif module and not own[module] then
    return "third-party module"
  elseif why.id:find "^pysyn_" then
    return "Python that is not read"
  elseif why.code == "lua" or why.code == "E999" then
    return "our defect"
  end
  return by_id[why.id] or why.id:find "^py_" and "Python that fails" or "kernel or call refused"
end

-- The failure in a few words, the same for the same cause.
function M.what(why)
  if why.code == "time" or why.code == "crash" then
    return why.text
  end
  return ("%s %s"):format(why.code, why.text:sub(1, 110))
end

return M
