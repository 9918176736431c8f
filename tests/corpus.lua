-- corpus.lua: what the files of a public checkout do here: TileLang, tilelang-puzzles, TileOPs.
--
--     moontile tests/corpus.lua CHECKOUT [-j N] [-s SECONDS] [-t TARGET] [-m MODE] [-o FOLDER] [PART ..]
--
-- -j  processes side by side (2)            -s  seconds for one file (60)
-- -m  lower: kernels are compiled for TARGET instead of launched; sim, run: the file runs (lower);
--     suite: as lower, of files without a main: CHECKOUT's own tests make their kernels
-- -t  TARGET ("cuda -arch=sm_90a"; of sim "sim -arch=sm_90a", of run "cpu"); of suite several, which take turns:
--     the next is for files of which the one before makes no kernel ("cuda -arch=sm_90a", "cuda -arch=sm_80")
-- -o  keeps what each file printed there
-- PART: only files (of a suite: tests) whose path contains it
--
-- A file "with kernels" is one whose text has T.Kernel, T.prim_func or tilelang.jit.  Others run, too, where
-- PART names them.  corpus/README.md says what the columns and classes are; nothing of the checkout is copied.

local classes = dofile((arg[0]:match "^(.*)/[^/]*$" or ".") .. "/corpus/lib/classes.lua")

local function quote(s)
  return "'" .. s:gsub("'", "'\\''") .. "'"
end

local function lines_of(command)
  local list = {}
  local p <close> = assert(io.popen(command))
  for line in p:lines() do
    list[#list + 1] = line
  end
  return list
end

local function read(path)
  local f <close> = io.open(path, "rb")
  return f and f:read "a"
end

-- Arguments -----------------------------------------------------------------------

local usual = {lower = {"cuda -arch=sm_90a"}, suite = {"cuda -arch=sm_90a", "cuda -arch=sm_80"}, sim = {"sim -arch=sm_90a"}, run = {"cpu"}}

local function usage(why)
  io.stderr:write(why, "\nusage: moontile tests/corpus.lua CHECKOUT [-j N] [-s SECONDS] [-t TARGET] ",
    "[-m lower|suite|sim|run] [-o FOLDER] [PART ..]\n")
  os.exit(2)
end

local function arguments()
  local o = {j = "2", s = "60", m = "lower", parts = {}, targets = {}}
  local i = 1
  while arg[i] do
    local flag = arg[i]:match "^%-([jstmo])$"
    if flag then
      o[flag] = arg[i + 1] or usage("-" .. flag .. " needs a value")
      o.targets[flag == "t" and #o.targets + 1 or 0] = o[flag]
      i = i + 1
    elseif arg[i]:find "^%-" then
      usage("unknown option " .. arg[i])
    elseif not o.root then
      o.root = arg[i]
    else
      table.insert(o.parts, arg[i])
    end
    i = i + 1
  end
  if not o.root then usage "which checkout?" end
  if not usual[o.m] then usage("unknown mode " .. o.m) end
  o.targets = o.t and o.targets or usual[o.m]
  o.t = o.targets[1]
  o.root = lines_of("cd " .. quote(o.root) .. " && pwd")[1] or usage("no folder " .. o.root)
  return o
end

local o = arguments()
local here = lines_of("cd " .. quote(arg[0]:match "^(.*)/[^/]*$" or ".") .. " && pwd")[1]
local program = os.getenv "MOONTILE" or arg[-1] or here .. "/../build/moontile"
program = program:find "^/" and program or lines_of "pwd"[1] .. "/" .. program
local work = o.o or lines_of "mktemp -d"[1]
if o.o then -- made where it is not there; an earlier run's results are not taken for this one's
  work = lines_of(("mkdir -p %s && cd %s && rm -f all.code jobs names *.sh *.report *.out && pwd"):format(
    quote(o.o), quote(o.o)))[1] or usage("no folder " .. o.o)
end

-- Files -------------------------------------------------------------------------------

local function with_kernels(text)
  return text:find("T.Kernel", 1, true) or text:find("T.prim_func", 1, true) or text:find("tilelang.jit", 1, true)
end

local function wanted(path, text)
  if #o.parts == 0 then
    return with_kernels(text)
  end
  for _, part in ipairs(o.parts) do
    if path:find(part, 1, true) then
      return true
    end
  end
end

-- {path below the checkout, what keeps it from running here or nil}, of `top`; and the names of files and folders.
local function files(top, wants)
  local list, modules = {}, {}
  for _, path in ipairs(lines_of(("cd %s && find %s -name '*.py' -type f | LC_ALL=C sort"):format(
    quote(o.root), top))) do
    path = path:gsub("^%./", "")
    local text = read(o.root .. "/" .. path) or ""
    for name in path:gsub("%.py$", ""):gmatch "[^/]+" do
      modules[name] = true
    end
    if wants(path, text) then
      list[#list + 1] = {path = path, beyond = classes.beyond(path, text, function(p) return read(o.root .. "/" .. p) end)}
    end
  end
  return list, modules
end

local function is_test(path)
  local kind = path:find "^benchmarks/" and "/bench_[^/]*$" or "/test_[^/]*$"
  return path:find(kind) and (#o.parts == 0 or wanted(path, "")) ~= nil
end

-- Of TileLang's own tree the examples; of a suite its tests and benchmarks.
local function programs()
  if o.m == "suite" then
    return files("tests $(test -d benchmarks && echo benchmarks)", is_test)
  end
  return files(read(o.root .. "/examples/quickstart.py") and "examples" or ".", wanted)
end

local list, modules = programs()

-- Running --------------------------------------------------------------------------------

-- "a/b/../c.py" -> "a/c.py"
local function plain_path(path)
  local parts = {}
  for part in path:gmatch "[^/]+" do
    if part == ".." and #parts > 0 and parts[#parts] ~= ".." then
      parts[#parts] = nil
    elseif part ~= "." then
      parts[#parts + 1] = part
    end
  end
  return table.concat(parts, "/")
end

local function script(f, i)
  local dir, base = f.path:match "^(.*)/([^/]*)$"
  dir, base = dir or ".", base or f.path
  if o.m == "suite" then -- its modules are named from the top
    dir, base = ".", f.path
  end
  f.dir, f.report, f.out = dir, ("%s/%d.report"):format(work, i), ("%s/%d.out"):format(work, i)
  return ("cd %s/%s; : >%s; LC_ALL=C.UTF-8 PYTHONPATH=src:. timeout -k 5 %s %s --lang en %s/corpus/lib/one.lua %s %s %s %s " ..
    "</dev/null >%s 2>&1; echo %d $? >>%s.code; echo %d\n"):format(quote(o.root), quote(dir), quote(f.report),
    o.s, quote(program), quote(here), o.m == "lower" and "lower" or o.m == "suite" and "suite" or "run", quote(f.report), quote(o.t),
    quote(base), quote(f.out), i, quote(work .. "/all"), i)
end

-- The events of a file: read, kernels by name and place, end.
local function load_report(f)
  f.kernels = {}
  for line in (read(f.report) or ""):gmatch "[^\n]+" do
    local e = {}
    for field in (line .. "\t"):gmatch "([^\t]*)\t" do
      e[#e + 1] = field
    end
    if e[1] == "kernel" then
      local from = e[3]:match "^@(.*)$"
      from = from and plain_path(from:find "^/" and from or f.dir .. "/" .. from) or f.path
      table.insert(f.kernels, {name = e[2], file = from, code = e[4], id = e[5], place = e[6], text = e[7]})
    else
      f[e[1]] = {code = e[2], id = e[3], place = e[4], text = e[5]}
    end
  end
end

-- A kernel is lowered when all that was made of it was; of one that was tuned, when something was.
local function judge(f)
  local by, order = {}, {}
  for _, k in ipairs(f.kernels) do
    local key = k.file .. ":" .. k.name
    if not by[key] then
      by[key] = {ok = 0, made = 0}
      order[#order + 1] = by[key]
    end
    local b = by[key]
    b.made, b.ok = b.made + 1, b.ok + (k.code == "ok" and 1 or 0)
    b.why = b.why or k.code ~= "ok" and k or nil
  end
  f.made, f.lowered, f.all = #order, 0, order
  f.refused = 0 -- specialisations of kernels that count as lowered
  for _, b in ipairs(order) do
    b.lowered = b.ok == b.made or b.why and b.ok > 0 and f["end"] and f["end"].code == "ok"
    f.lowered = f.lowered + (b.lowered and 1 or 0)
    if b.lowered and b.why then
      f.refused, f.but = f.refused + b.made - b.ok, f.but or b.why
    end
    f.why = f.why or not b.lowered and b.why or nil
  end
  local ended = f["end"]
  f.stopped = f.status == 124 or f.status == 137
  f.why = f.why or f.read and f.read.code ~= "ok" and f.read
    or ended and ended.code ~= "ok" and ended
    or not ended and not (f.read and f.read.code ~= "ok") and {code = f.stopped and "time" or "crash", id = "",
      place = "", text = f.stopped and ("not done after %s s"):format(o.s) or "exit status " .. tostring(f.status)}
    or nil
  f.class = f.beyond or f.why and classes.of(f.why, function(name) return modules[name] end, function(path)
    return read(o.root .. "/" .. (f.dir ~= "" and not path:find "^/" and f.dir .. "/" or "") .. path)
  end) or nil
end

-- Of a test what it does is said by the files of its kernels.
local function show(f)
  if o.m == "suite" and not f.suite then
    return
  end
  local read_ok = not f.read or f.read.code == "ok"
  local parts = {read_ok and "read" or "not read"}
  if o.m == "lower" or o.m == "suite" then
    parts[#parts + 1] = ("kernels %d of %d"):format(f.lowered, f.made)
  end
  if o.m == "suite" and f.but then
    parts[#parts + 1] = ("%d of %d specialisations refused: %s %s %s"):format(f.refused, #f.kernels, f.but.code, f.but.place, f.but.text)
  end
  parts[#parts + 1] = not f.why and "end" or ("%s: %s %s %s"):format(f.class, f.why.code, f.why.place, f.why.text)
  print(("%-64s %s"):format(f.path, table.concat(parts, ", ")))
  io.stdout:flush()
end

local function run_all()
  local jobs = assert(io.open(work .. "/jobs", "w"))
  for i, f in ipairs(list) do
    local path = ("%s/%d.sh"):format(work, i)
    local s <close> = assert(io.open(path, "w"))
    s:write(script(f, i))
    jobs:write(path, "\n")
  end
  jobs:close()
  local p <close> = assert(io.popen(("xargs -n 1 -P %s sh <%s"):format(o.j, quote(work .. "/jobs"))))
  for line in p:lines() do
    local f = list[tonumber(line)]
    f.status = tonumber((read(work .. "/all.code") or ""):match("%f[^\n\0]" .. line .. " (%d+)"))
    load_report(f)
    judge(f)
    show(f)
  end
end

-- Suites ---------------------------------------------------------------------------------

-- Which files are read: one process for all.
local function read_all(kernels)
  local names, report = work .. "/names", work .. "/names.report"
  local by = {}
  local f <close> = assert(io.open(names, "w"))
  for _, k in ipairs(kernels) do
    f:write(k.path, "\n")
    by[k.path] = k
  end
  f:flush()
  os.execute(("cd %s && %s --lang en %s/corpus/lib/one.lua read %s %s %s >/dev/null 2>&1"):format(quote(o.root),
    quote(program), quote(here), quote(report), quote(o.t), quote(names)))
  for line in (read(report) or ""):gmatch "[^\n]+" do
    local path, code, id, place, text = line:match "^read\t([^\t]*)\t([^\t]*)\t([^\t]*)\t([^\t]*)\t(.*)$"
    by[path].read = {code = code, id = id, place = place, text = text}
  end
  return by
end

-- What the tests that have just run made of the files that had none; -> are there files still without?
local function gather(kernels, by)
  local made = {}
  for _, test in ipairs(list) do
    for _, k in ipairs(test.kernels) do
      local of = by[k.file]
      if of and (#of.kernels == 0 or made[of]) then
        table.insert(of.kernels, k)
        made[of] = true
      end
    end
  end
  for _, k in ipairs(kernels) do
    if #k.kernels == 0 then
      return true
    end
  end
end

-- The suite's files of kernels, with what its tests have made of each.
local function suite_files()
  local kernels = files("src", function(path, text)
    return text:find("T.prim_func", 1, true) and not path:find("kernel_base", 1, true) and not path:find("/trace/", 1, true)
  end)
  local by = read_all(kernels)
  for _, k in ipairs(kernels) do
    k.kernels, k.dir, k.suite, k["end"] = {}, "", true, {code = "ok"}
  end
  local left = gather(kernels, by)
  for i = 2, left and #o.targets or 0 do
    o.t = o.targets[i]
    run_all()
    left = gather(kernels, by)
    if not left then
      break
    end
  end
  for _, k in ipairs(kernels) do
    judge(k)
    if k.made == 0 and not k.why then
      k.why = {code = "none", id = "", place = "", text = "no test has made a kernel of it"}
      k.class = k.beyond or "no kernel made"
    end
    show(k)
  end
  return kernels
end

-- Counting ---------------------------------------------------------------------------------

local function percent(a, b)
  return b == 0 and "-" or ("%.1f %%"):format(100 * a / b)
end

local function count(of)
  local n = {files = 0, read = 0, made = 0, lowered = 0, whole = 0, done = 0, some = 0}
  for _, f in ipairs(of) do
    n.files = n.files + 1
    n.read = n.read + ((not f.read or f.read.code == "ok") and 1 or 0)
    n.made, n.lowered = n.made + f.made, n.lowered + f.lowered
    n.some = n.some + (f.made > 0 and 1 or 0)
    n.whole = n.whole + (f.made > 0 and f.made == f.lowered and 1 or 0)
    n.done = n.done + (not f.why and 1 or 0)
  end
  return n
end

local function totals(title, of)
  local n = count(of)
  print(("\n%s: %d files"):format(title, n.files))
  print(("  read                     %d"):format(n.read))
  if o.m == "lower" or o.m == "suite" then
    print(("  make kernels             %d"):format(n.some))
    print(("  all they made lowered    %d"):format(n.whole))
    print(("  kernels lowered          %d of %d, %s"):format(n.lowered, n.made, percent(n.lowered, n.made)))
  end
  print(("  run to their end         %d, %s"):format(n.done, percent(n.done, n.files)))
end

local function by_class()
  local by, order = {}, {}
  for _, f in ipairs(list) do
    if f.why then
      if not by[f.class] then
        by[f.class] = {n = 0, what = {}, names = {}}
        order[#order + 1] = f.class
      end
      local c = by[f.class]
      c.n = c.n + 1
      local what = classes.what(f.why)
      c.what[what] = (c.what[what] or 0) + 1
      if c.what[what] == 1 then
        c.names[#c.names + 1] = what
      end
    end
  end
  table.sort(order, function(a, b) return by[a].n > by[b].n or by[a].n == by[b].n and a < b end)
  print "\nfiles by the class of their first failure"
  for _, class in ipairs(order) do
    local c = by[class]
    print(("  %4d  %s"):format(c.n, class))
    table.sort(c.names, function(a, b) return c.what[a] > c.what[b] or c.what[a] == c.what[b] and a < b end)
    for _, what in ipairs(c.names) do
      print(("          %4d  %s"):format(c.what[what], what))
    end
  end
end

run_all()
if o.m == "suite" then
  list = suite_files()
end
local within = {}
for _, f in ipairs(list) do
  within[#within + 1] = not classes.excluded[f.class] and f or nil
end
totals("all", list)
totals("those that need no Blackwell, other hardware or third-party kernel", within)
by_class()
if not o.o then
  os.execute("rm -rf " .. quote(work))
end
