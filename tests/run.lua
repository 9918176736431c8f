-- run.lua: runs the tests: `make test`, `make test UPDATE=1`.
--
--     moontile tests/run.lua BUILD_FOLDER [FILTER]
--
-- FILTER is a part of the names; without one it is all but those in tests/long, with `all` those
-- too; `quick` are those that tests/quick lists, less than 40 s;
-- `swift` are all but the longest (tests/slow) and the errors in Chinese: what .ci/run does with
-- sanitizers.
-- The longest tests begin first (tests/slow lists them), so that no processor waits for
-- one at the end.
--
-- A test is an input and an expected file beside it; the expected file's
-- extension says what is done and what is compared:
--
--     x.lua + x.out      run it: standard output, and exit status 0 (or x.code)
--     x.lua + x.err      a wrong program: standard error, and exit status 1
--     x.lua + x.zh.err   the same with --lang zh
--     x.py  + x.out      run it as x.lua
--     x.py  + x.lua      what `moontile convert` prints of it; x.err, x.zh.err: what it says
--     x.ir  + x.ir.out   IR text, printed again: output, and that it reads back
--     x.ir  + x.ir.err   IR text through the checks: standard error
--     x.sh  + x.out      a shell script that drives the program as "$MOONTILE":
--                        both its outputs; exit status 77 skips it
--     unit/x.c           a program linked with all of ours: exit status 0; 77 skips it
--
-- x.in, when it is there, is the standard input.  A test runs in its own
-- folder, with HOME, caches and settings of the run; "$TMP" is an empty folder
-- of its own.  Files below a folder lib/ are no tests.  For a new test make an
-- empty expected file and run with UPDATE=1; read the result before you keep it.
--
-- Printed C is compiled with -Og (lib/cc.sh), which takes half the time; FULL=1 takes the
-- flags that users get, as `make hunt` does and .ci/run once.  Compiled kernels are kept in
-- build/kernels, by the hash of all that they are made from, for the next run and for the
-- other build; nothing else of a run lives on.

local build, filter = arg[1], arg[2]
if not build then
  io.stderr:write("usage: moontile tests/run.lua BUILD_FOLDER [FILTER]\n")
  os.exit(2)
end
local update = (os.getenv "UPDATE" or "") ~= ""
local sanitized = build:find("san", 1, true) ~= nil
-- Seconds for one test: for those that hang and no others, so that a busy machine passes.
local limit = sanitized and 1800 or 600

local function read(path)
  local f = io.open(path, "rb")
  if not f then
    return nil
  end
  local s = f:read "a"
  f:close()
  return s
end

local function write(path, s)
  local f = assert(io.open(path, "wb"))
  f:write(s)
  f:close()
end

local function quote(s)
  return "'" .. s:gsub("'", "'\\''") .. "'"
end

local function lines_of(command)
  local list = {}
  local p = assert(io.popen(command))
  for line in p:lines() do
    list[#list + 1] = line
  end
  p:close()
  return list
end

local root = lines_of "pwd"[1]
local function absolute(path)
  return path:sub(1, 1) == "/" and path or root .. "/" .. path
end
local program = absolute(build) .. "/moontile"
local work = absolute(build) .. "/test"
local kept = root .. "/build/kernels"

-- Finding the tests ----------------------------------------------------------

-- One row a kind: input and expected extension, the command ({p} program,
-- {i} input), what is compared, the exit status unless x.code says another.
local kinds = {
  { input = ".lua", expect = ".out", command = "{p} --lang en {i}", compare = "out", code = 0 },
  { input = ".lua", expect = ".err", command = "{p} --lang en {i}", compare = "err", code = 1 },
  { input = ".lua", expect = ".zh.err", command = "{p} --lang zh {i}", compare = "err", code = 1 },
  { input = ".py", expect = ".out", command = "{p} --lang en {i}", compare = "out", code = 0 },
  { input = ".py", expect = ".lua", command = "{p} --lang en convert {i}", compare = "out", code = 0 },
  { input = ".py", expect = ".err", command = "{p} --lang en convert {i}", compare = "err", code = 1 },
  { input = ".py", expect = ".zh.err", command = "{p} --lang zh convert {i}", compare = "err", code = 1 },
  { input = ".ir", expect = ".ir.out", command = "{p} --ir-roundtrip {i}", compare = "out", code = 0 },
  { input = ".ir", expect = ".ir.err", command = "{p} --ir-check {i}", compare = "err", code = 1 },
  { input = ".sh", expect = ".out", command = "sh {i}", compare = "both", code = 0 },
}

local function find_tests()
  local tests, files = {}, {}
  -- tests/bench is the library of `make bench`: its programs take a card and are timed.
  for _, path in ipairs(lines_of "find tests -path tests/bench -prune -o -type f -print | LC_ALL=C sort") do
    files[path] = true
    files[#files + 1] = path
  end
  for _, path in ipairs(files) do
    local stem, ext = path:match "^(.*)(%.[^./]+)$"
    local dir, base = path:match "^(.*)/([^/]*)$"
    local used, is_input = false, false
    local converted = ext == ".lua" and files[stem .. ".py"] -- no input, but what is expected
    for _, k in ipairs(kinds) do
      if k.input == ext and not converted and not dir:find "/lib$" and not dir:find "/lib/" then
        is_input = true
        local expect = stem .. k.expect
        if files[expect] then
          used = true
          local name = expect:sub(#"tests/" + 1)
          tests[#tests + 1] = { name = name, kind = k, dir = dir, input = base, expect = expect,
            stem = stem, code = tonumber(read(stem .. ".code") or k.code) }
        end
      end
    end
    if is_input and not used and dir ~= "tests" then
      tests[#tests + 1] = { name = path:sub(#"tests/" + 1),
        orphan = "there is no expected file beside it: see tests/run.lua\n" }
    end
    if path:find "^tests/unit/[^/]*%.c$" then
      local name = "unit/" .. stem:match "[^/]*$"
      local command = quote(absolute(build) .. "/tests/" .. name)
      tests[#tests + 1] = { name = name, dir = "tests/unit", code = 0, stem = stem,
        kind = { compare = "code", command = command } }
    end
  end
  return tests
end

-- Running them ------------------------------------------------------------------

-- The shell script of one test: leaves out, err and code in its folder, and
-- says its number when it is done.
local function script(t, number)
  local command = t.kind.command:gsub("{(%a)}", { p = quote(program), i = quote(t.input or "") })
  local input = read(t.stem .. ".in") and quote(absolute(t.stem .. ".in")) or "/dev/null"
  local d = quote(t.work)
  return table.concat({
    "cd " .. quote(absolute(t.dir)),
    "export HOME=" .. d .. "/home TMP=" .. d .. "/tmp",
    ("timeout -k 5 %d %s <%s >%s/out 2>%s"):format(limit, command, input, d,
      t.kind.compare == "both" and "&1" or d .. "/err"),
    "echo $? >" .. d .. "/code",
    "times >" .. d .. "/times",
    "echo " .. number,
  }, "\n") .. "\n"
end

local full = (os.getenv "FULL" or "") ~= ""
local environment = table.concat({
  "LC_ALL=C.UTF-8", "LANG=C.UTF-8", "MOONTILE_LANG=en", "TERM=dumb",
  "MOONTILE_TIME_LIMIT=200", -- for kernels that hang; a busy machine takes its time
  "MOONTILE=" .. quote(program),
  "MOONTILE_CACHE_DIR=" .. quote(work .. "/cache"), "KERNELS=" .. quote(kept),
  full and "" or "TEST_CC=" .. quote(os.getenv "CC" or "") .. " CC=" .. quote(root .. "/tests/lib/cc.sh"),
  "ASAN_OPTIONS=exitcode=99:allocator_may_return_null=1:handle_sigill=1", -- a trap: undefined behaviour
  "LSAN_OPTIONS=suppressions=" .. quote(root .. "/tests/lsan.supp") .. ":print_suppressions=0",
  "XDG_STATE_HOME= XDG_DATA_HOME= XDG_CONFIG_HOME= XDG_CACHE_HOME= NO_COLOR= UPDATE= SLOW= MAKEFLAGS=",
}, " ")

-- Compiled kernels of earlier runs: names are hashes, and the trailer of each is verified.
-- Links, since the cache replaces files and never writes into one.  After two weeks they
-- are made anew.
local function fetch_kernels()
  os.execute(("mkdir -p %s && find %s -type f -mtime +14 -delete; " ..
    "find %s -maxdepth 1 -name '*.so' -exec ln -t %s {} +"):format(quote(kept), quote(kept),
    quote(kept), quote(work .. "/cache")))
end

local function keep_kernels()
  os.execute(("find %s -maxdepth 1 -name '*.so' -links 1 -exec ln -f -t %s {} +"):format(
    quote(work .. "/cache"), quote(kept)))
end

-- Names of a list, one a line; behind `#` stands what people want to know.
local function names_in(path)
  local names = {}
  for line in (read(path) or ""):gmatch "[^\n]+" do
    names[#names + 1] = line:match "^%s*([^%s#]+)"
  end
  return names
end

-- The tests of the list `quick`: names, and folders without what tests/slow names or a line with `-` leaves out; each
-- once.  A name that no test has is an error.
local function choose(all, list)
  local chosen, taken, slow = {}, {}, {}
  for _, name in ipairs(names_in "tests/slow") do
    slow[name] = true
  end
  for _, line in ipairs(list) do
    local name = line:match "^%-?(.*)"
    local known = false
    slow[name] = slow[name] or line ~= name
    for _, t in ipairs(all) do
      local fits = t.name == name or name:sub(-1) == "/" and t.name:sub(1, #name) == name and not slow[t.name]
      known = known or fits
      if fits and not taken[t.name] and line == name then
        taken[t.name] = true
        chosen[#chosen + 1] = t
      end
    end
    if not known then
      chosen[#chosen + 1] = { name = name, orphan = "tests/quick names it, and it is not there\n" }
    end
  end
  return chosen
end

-- What takes longest comes first, as tests/slow has it; the others as they are.
local function longest_first(list)
  local place = {}
  for i, name in ipairs(names_in "tests/slow") do
    place[name] = i
  end
  for i, t in ipairs(list) do
    t.place = place[t.name] or math.maxinteger - #list + i
  end
  table.sort(list, function(a, b) return a.place < b.place end)
  return list
end

local function prepare(tests)
  os.execute("rm -rf " .. quote(work) .. " && mkdir -p -m 700 " .. quote(work .. "/cache"))
  fetch_kernels()
  local jobs, folders = {}, {}
  for i, t in ipairs(tests) do
    if not t.orphan then
      t.work = work .. "/" .. t.name:gsub("[/.]", "_")
      folders[#folders + 1] = quote(t.work .. "/tmp") .. " " .. quote(t.work .. "/home")
      jobs[#jobs + 1] = t.work .. "/run.sh"
    end
    if #folders > 200 or (i == #tests and #folders > 0) then
      os.execute("mkdir -p " .. table.concat(folders, " "))
      folders = {}
    end
  end
  for i, t in ipairs(tests) do
    if not t.orphan then
      write(t.work .. "/run.sh", script(t, i))
    end
  end
  write(work .. "/jobs", table.concat(jobs, "\n") .. "\n")
  return #jobs
end

-- Judging one ----------------------------------------------------------------------

local function tail(s, n)
  local from = #s
  for _ = 1, n + 1 do
    from = s:sub(1, from - 1):find "\n[^\n]*$" or 0
    if from == 0 then
      return s
    end
  end
  return "...\n" .. s:sub(from + 1)
end

local function indent(s)
  return s == "" and "" or "    " .. s:gsub("\n$", ""):gsub("\n", "\n    ") .. "\n"
end

local function diff(expect, actual)
  local p = assert(io.popen(("diff -u --label expected --label actual %s %s"):format(
    quote(expect), quote(actual))))
  local s = p:read "a"
  p:close()
  return s
end

-- Why the test failed, as text; "" when it passed.
local function judge(t)
  local code = tonumber(read(t.work .. "/code"))
  local out, err = read(t.work .. "/out") or "", read(t.work .. "/err") or ""
  if code == 77 and (t.kind.compare == "both" or t.kind.compare == "code") then
    t.skipped = out:match "([^\n]*)\n?$"
    return ""
  end
  local why = ""
  local ran_over = code == 124 or code == 137
  local compared = t.kind.compare == "err" and "/err" or "/out"
  if ran_over then
    why = ("did not end within %d s\n"):format(limit)
  elseif code ~= t.code then
    if update and t.expect and code and code < 124 then
      os.remove(t.stem .. ".code")
      if code ~= t.kind.code then
        write(t.stem .. ".code", code .. "\n")
      end
      t.updated = true
    else
      why = ("exit status %s instead of %d\n"):format(code, t.code)
    end
  end
  if t.expect and read(t.expect) ~= read(t.work .. compared) then
    if update and not ran_over then
      write(t.expect, read(t.work .. compared))
      t.updated = true
    else
      why = why .. diff(t.expect, t.work .. compared)
    end
  end
  if (out .. err):find "Sanitizer" or err:find "runtime error:" then
    why = why .. "the sanitizer reports:\n" .. tail(err, 40)
  elseif why ~= "" and t.kind.compare ~= "err" then
    why = why .. tail(t.kind.compare == "code" and out .. err or err, 20)
  end
  return why
end

local function report(t, why)
  if why ~= "" then
    t.failed = why
    print("[FAIL] " .. t.name)
    io.write(indent(why))
  elseif t.skipped then
    print(("[skip] %s: %s"):format(t.name, t.skipped))
  else
    print((t.updated and "[new]  " or "[ok]   ") .. t.name)
  end
  io.stdout:flush()
end

-- Seconds of processor time that a test took, its processes included.
local function cost(t)
  local sum = 0
  for m, s in (t.work and read(t.work .. "/times") or ""):gmatch "(%d+)m([%d.]+)s" do
    sum = sum + 60 * tonumber(m) + tonumber(s)
  end
  return sum
end

-- Where the time of `make test SLOW=1` went, as tests/slow has it.
local function report_slowest(tests)
  table.sort(tests, function(a, b) return cost(a) > cost(b) end)
  local sum = 0
  for i, t in ipairs(tests) do
    sum = sum + cost(t)
    if i <= 100 then
      print(("%-32s # %5.1f s"):format(t.name, cost(t)))
    end
  end
  print(("%.1f s of the processor in all"):format(sum))
end

-- What a test says that it lacks -> what enables it.
local remedies = {
  { "clang", "apt-get install clang-19" },
  { "nvcc", "apt-get install nvidia-cuda-toolkit, or NVIDIA's own of 12.0 and later" },
  { "cuda.h", "apt-get install nvidia-cuda-toolkit" },
  { "NVRTC", "apt-get install nvidia-cuda-toolkit, or pip install nvidia-cuda-nvrtc-cu12" },
  { "GPU", "make test on a machine with an NVIDIA GPU" },
  { "tmux", "apt-get install tmux" },
  { "curl", "apt-get install curl" },
  { "openssl", "apt-get install openssl iproute2; namespaces: as root" },
  { "rsvg", "apt-get install librsvg2-bin" },
  { "numpy", "apt-get install python3-numpy, or pip install numpy" },
  { "python3", "apt-get install python3" },
  { "terminal", "apt-get install bsdutils" },
  { "C compiler", "apt-get install gcc" },
  { "libedit only", "make test EDITLINE=libedit B=build/libedit" },
  { "readline only", "make test EDITLINE=readline" },
}

local function remedy(why)
  for _, row in ipairs(remedies) do
    if why:find(row[1], 1, true) then
      return row[2]
    end
  end
end

-- What was not tested, by what it needs.
local function report_skipped(list)
  local by, order = {}, {}
  for _, t in ipairs(list) do
    local what = remedy(t.skipped) or "not here: " .. (t.skipped:match "%S.*" or "it does not say why")
    if not by[what] then
      by[what] = {}
      order[#order + 1] = what
    end
    table.insert(by[what], t.name)
  end
  for i, what in ipairs(order) do
    print((i == 1 and "\nskipped, and what enables them:\n" or "") .. "    " .. what)
    print("        " .. table.concat(by[what], "\n        "))
  end
  if #list > 0 then
    print(("%d skipped"):format(#list))
  end
end

-- One run in a build folder at a time --------------------------------------------------

-- A link to the number of the process, made or refused at once.  Of a process that is gone, or
-- that is no test run (numbers come again), it is taken over.
local lock = absolute(build) .. "/test.lock"
local self = lines_of "echo $PPID"[1] -- the parent of popen's shell

local function shell(command, ...)
  local words = {...}
  return os.execute((command:gsub("{(%d)}", function(i) return words[tonumber(i)] end))) == true
end

-- The process that has the lock and lives, or nil.
local function holder()
  local pid = lines_of("readlink " .. quote(lock) .. " || true")[1]
  if pid and pid:find "^%d+$" and shell("kill -0 {1} 2>/dev/null && " ..
    "{ ! test -r /proc/{1}/cmdline || grep -q tests/run.lua /proc/{1}/cmdline; }", pid) then
    return pid
  end
end

local function take_lock()
  local function try()
    return shell("ln -s {1} {2} 2>/dev/null", self, quote(lock))
  end
  if try() then
    return
  end
  local other = holder()
  if not other then
    shell("rm -f {1}", quote(lock))
    if try() then
      return
    end
    other = holder() or "?"
  end
  io.stderr:write(("another test run uses %s/test (pid %s): wait for it, or build into another " ..
    "folder: make test B=build/mine\n"):format(build, other))
  os.exit(2)
end

-- All of them ----------------------------------------------------------------------

local function wanted()
  local all, list = find_tests(), {}
  if filter == "quick" then
    return choose(all, names_in "tests/quick")
  end
  local slow, long, left = {}, {}, 0
  for _, name in ipairs(filter == "swift" and names_in "tests/slow" or {}) do
    slow[name] = not name:find "^unit/"
  end
  for _, name in ipairs(not (filter or update) and names_in "tests/long" or {}) do
    long[name] = true
  end
  for _, t in ipairs(all) do
    local swift = filter == "swift" and not slow[t.name] and not t.name:find "%.zh%.err$"
    if long[t.name] then
      left = left + 1
    elseif not filter or filter == "all" or swift or t.name:find(filter, 1, true) then
      list[#list + 1] = t
    end
  end
  return list, left
end

local tests, left = wanted()
tests = longest_first(tests)
-- More than the machine has cores: many tests wait, for a worker's end or for bytes of a terminal.
local at_once = tonumber(lines_of "nproc 2>/dev/null || echo 1"[1]) + 2
take_lock()
if prepare(tests) > 0 then
  local p = assert(io.popen(("env %s xargs -P %d -n 1 sh <%s"):format(environment, at_once,
    quote(work .. "/jobs"))))
  for line in p:lines() do
    local t = tests[tonumber(line)]
    if t then
      t.done = true
      report(t, judge(t))
    end
  end
  p:close()
  keep_kernels()
end

local passed, skipped, failed = 0, {}, {}
for _, t in ipairs(tests) do
  if t.orphan then
    report(t, t.orphan)
  elseif not t.done then
    report(t, "was not run\n")
  end
  if t.failed then
    failed[#failed + 1] = t
  elseif t.skipped then
    skipped[#skipped + 1] = t
  else
    passed = passed + 1
  end
end
if #failed > 0 then
  print "\nfailed:"
  for i, t in ipairs(failed) do
    print("    " .. t.name)
    io.write(i <= 5 and indent(tail(t.failed, 60)) or "") -- once more: the log may be cut above
  end
end
if (os.getenv "SLOW" or "") ~= "" then
  report_slowest(tests)
end
report_skipped(skipped)
if left and left > 0 then
  print(("%d long ones of what others test too: make test T=all"):format(left))
end
os.remove(lock)
print(("%d passed, %d failed"):format(passed, #failed))
os.exit(#failed == 0 and 0 or 1)
