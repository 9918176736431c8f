-- .ci/fields.lua FILE...: fields of Lua modules, and functions that C gives to Lua, that nobody
-- uses.  `make lint` runs it with the paths of all sources and tests.
--
-- A field is what `function M.name` or `M.name =` defines in the file that returns M.  It is used by
-- X.name or X:name where X is what a file requires of that module, and by its name in a string or as
-- a key of a table anywhere: so are functions that a doc names, that C calls, that the reader writes
-- into a text.  A function of C is used by its name behind a dot or a colon, or in a string.

local defined, used, named = {}, {}, {}

local function read(path)
  local f = assert(io.open(path))
  local s = f:read "a"
  f:close()
  return "\n" .. s
end

-- "lua/T/init.lua" -> "moontile.T"
local function module(path)
  return "moontile." .. path:gsub("^lua/", ""):gsub("%.lua$", ""):gsub("/init$", ""):gsub("/", ".")
end

local function use(mod, name) used[mod .. " " .. name] = true end

local function define(path, s)
  local mod = module(path)
  local m = s:match "\nreturn ([%a_][%w_]*)%s*$" or s:match "\nreturn setmetatable%(([%w_]+),"
  if not m then
    return
  end
  local forms = {"\nfunction " .. m .. "[.:]([%a_][%w_]*)", "\n" .. m .. "%.([%a_][%w_]*) = "}
  for _, form in ipairs(forms) do
    for name in s:gmatch(form) do
      defined[#defined + 1] = {name = name, path = path, key = mod .. " " .. name}
    end
    s = s:gsub(form, "")
  end
  for name in s:gmatch("%f[%w_]" .. m .. "[.:]([%a_][%w_]*)") do use(mod, name) end
end

local function uses(s)
  for x, mod in s:gmatch '([%a_][%w_]*) = require%s*%(?"(moontile[%w_.]*)"' do
    for name in s:gmatch("%f[%w_]" .. x .. "%s*[.:]([%a_][%w_]*)") do use(mod, name) end
  end
  for x, mod in s:gmatch 'function ([%a_][%w_]*)%(%) return require "(moontile[%w_.]*)"' do
    for name in s:gmatch("%f[%w_]" .. x .. "%(%)[.:]([%a_][%w_]*)") do use(mod, name) end
  end
  for mod, name in s:gmatch 'require%s*%(?"(moontile[%w_.]*)"%)?%.([%a_][%w_]*)' do use(mod, name) end
  for name in s:gmatch "%f[%w_]be%.([%a_][%w_]*)" do use("moontile.T.backend", name) end -- stage's
end

local function words(s, form)
  for part in s:gmatch(form) do
    for name in part:gmatch "[%a_][%w_]*" do named[name] = true end
  end
end

local function lua_file(path, s)
  s = s:gsub("\n%s*%-%-[^\n]*", "\n"):gsub(" %-%- [^\n]*", "")
  -- the reader makes names of stage's from pieces; the library of Python is for programs in Python
  if not path:find "^tests/" and not path:find "^lua/stage/" and not path:find "^lua/python/lib/" then
    define(path, s)
  end
  uses(s)
  words(s, "[{,]%s*([%a_][%w_]*)%s*=")
  words(s, "\"([%a_][%w_]*)")
  words(s, "'([%a_][%w_]*)")
  for name in s:gmatch "[.:]([%a_][%w_]*)" do named["." .. name] = true end
end

-- {"name", f_name} in C defines; other strings of C use.
local function c_file(path, s)
  local row = '{"([%a_][%w_]*)", ([%a_][%w_]*)}'
  if not path:find "^tests/" and s:find("luaL_Reg", 1, true) then
    for name in s:gmatch(row) do
      defined[#defined + 1] = {name = name, path = path, c = true}
    end
    s = s:gsub(row, "")
  end
  words(s, '"([^"\n]*)"')
end

for _, path in ipairs(arg) do
  local s = read(path)
  if path:find "%.lua$" then
    lua_file(path, s)
  elseif path:find "%.c$" then
    c_file(path, s)
  else
    for name in s:gmatch "[.:]([%a_][%w_]*)" do named["." .. name] = true end
  end
end

local bad = false
for _, d in ipairs(defined) do
  local used_here = d.c and (named["." .. d.name] or d.name:find "^__") or used[d.key]
  if not used_here and not named[d.name] then
    print(("%s: nobody uses %s"):format(d.path, d.name))
    bad = true
  end
end
os.exit(not bad)
