-- srcview.lua: what a kernel became, beside the lines that it is made of.
--
--     srcview.show(k, kind, style, opts)
--
-- kind: "ir" "thread", the texts of the program; "c" "cuda" .. (ir.texts), what a target
-- prints; "ptx" "sass", what NVIDIA's compiler makes of that, where it is installed; nil: what the
-- kernel's own target prints.  opts: line = only what that line became, target = the
-- machine, all = true (nothing is folded), cells = "columns" | "rows".
--
-- Which line a line comes from is known, not guessed: the IR has positions, the
-- printers note theirs as they print, and the compiler's line table leads from its
-- listing to the source.

local device = require "moontile.tl.device"
local diag = require "moontile.diag"
local disk = require "moontile.files"
local ir = require "moontile.ir"
local suggest = require "moontile.base.suggest"
local term = require "moontile.term"

local M = {}

local Wide = 120   -- columns from which both texts stand side by side
local Most = 12    -- lines made of one line, before they are folded

local printed = {} -- TargetText by its kind

M.kinds = {"ir", "thread"}
for _, t in ipairs(ir.texts()) do
  printed[t.kind], M.kinds[#M.kinds + 1] = t, t.kind
end
table.move({"ptx", "sass"}, 1, 2, #M.kinds + 1, M.kinds)

local function say(...)
  return require("moontile.repl.commands").say(...)
end

local function split(text)
  local list = {}
  for line in text:gsub("\n$", ""):gmatch "([^\n]*)\n?" do
    list[#list + 1] = line
  end
  if list[#list] == "" and text:sub(-2) ~= "\n\n" then
    list[#list] = nil
  end
  return list
end

-- Texts -----------------------------------------------------------------------------
-- Each gives the lines of a text, and for each of them the user's line (0: none) and
-- the file it stands in.

-- IR: positions at the ends of lines; "end" is of the line that opened its block, a
-- "def" of what follows it.
local function of_ir(text)
  local lines, at, files, name = split(text), {}, {}, {}
  local open, waiting = {}, {}
  for i, line in ipairs(lines) do
    local number, file = line:match '^file (%d+) "(.*)"$'
    if number then
      name[number] = file
    end
    local f, l = line:match "@(%d+):(%d+):%d+$"
    if not f or not name["2"] then
      f, l = "1", line:match "@(%d+):?%d*$"
    end
    local word, here = line:match "^%s*([%w_]*)", tonumber(l) or 0
    if word == "end" or word == "else" then
      here, f = table.unpack(open[#open] or {0, "1"})
      if word == "end" then
        open[#open] = nil
      end
    elseif word == "def" then
      waiting[#waiting + 1] = i
    end
    if line:find " do @[%d:]*$" or line:find " do$" or line:find " then @[%d:]*$" or
      line:find " then$" or word == "kernel" then
      open[#open + 1] = {here, f}
    end
    at[i], files[i] = here, name[f] or ""
    if here > 0 and word ~= "def" then
      for _, k in ipairs(waiting) do
        at[k], files[k] = at[i], files[i]
      end
      waiting = {}
    end
  end
  return lines, at, files
end

-- A program for the commands that look for a compiler's tools, or nil.
local function on_path(name)
  local p <close> = io.popen(("command -v %s 2>/dev/null"):format(name))
  local path = p and p:read "l"
  return path ~= "" and path or nil
end

local function write(path, text)
  local ok, why = disk.write(path, text)
  if not ok then
    diag.fail("export_dir", path, why)
  end
end

-- What nvcc makes of CUDA source with a line table: the listing of `command`, a format
-- of source and output.
local function listing(source, arch, command)
  local dir = os.tmpname()
  local from, to, said = dir .. ".cu", dir .. ".out", dir .. ".err"
  local _ <close> = setmetatable({}, {__close = function()
    for _, f in ipairs {dir, from, to, to .. ".cubin", said} do
      os.remove(f)
    end
  end})
  write(from, source)
  local ok = os.execute(command:gsub("%$(%w+)", {FROM = from, TO = to, ARCH = arch}) ..
    (" 2>'%s'"):format(said))
  if not ok then
    return nil, (disk.read(said) or ""):match "^[^\n]*"
  end
  return disk.read(to)
end

local nvcc = "nvcc %s -lineinfo -std=c++17 -arch=$ARCH -x cu '$FROM' -o '$TO%s'"
local listings = {
  ptx = {tools = {"nvcc"}, command = nvcc:format("-ptx", ""), line = "^%s*%.loc%s+%d+%s+(%d+)",
    inlined = "inlined_at%s+%d+%s+(%d+)",
    code = function(l) return l:find "^%s*[%a@{}]" end},
  -- the place of an instruction, then of the calls that it was inlined by; the last counts
  sass = {tools = {"nvcc", "nvdisasm"}, command = nvcc:format("-cubin", ".cubin") ..
    " && nvdisasm -gi '$TO.cubin' >'$TO'", line = "//## File .*, line (%d+)",
    code = function(l) return l:find "^%s*/%*%x+%*/" end},
}

-- The lines of a listing that are code, each with the source line that the table in it
-- says; known(n): is source line n the user's?  What was inlined counts where it was called.
local function of_listing(text, kind, known)
  local lines, at, caller, here = {}, {}, {}, 0
  for _, l in ipairs(split(text)) do
    local n = tonumber((l:match(kind.line)))
    if n then
      caller[n] = kind.inlined and tonumber((l:match(kind.inlined))) or nil
      for _ = 1, 16 do -- calls in calls
        n = not known(n) and caller[n] or n
      end
      here = n
    elseif kind.code(l) then
      lines[#lines + 1], at[#at + 1] = l:gsub("\t", "    "), here
    end
  end
  return lines, at
end

-- Raises that `kind` is not to be had, and why.
local function no_listing(kind, why)
  diag.fail("src_listing", kind, why)
end

local function compiled(k, kind, spec)
  local l = listings[kind]
  for _, tool in ipairs(l.tools) do
    if not on_path(tool) then
      no_listing(kind, say("%s is not on the PATH", "PATH 中没有 %s", tool))
    end
  end
  local source, where, files = ir.source(k.P, spec)
  local text, why = listing(source, ir.machine(spec), l.command)
  if not text then
    no_listing(kind, why)
  end
  local lines, at = of_listing(text, l, function(n) return (where[n] or 0) > 0 end)
  local names = {}
  for i, n in ipairs(at) do
    at[i], names[i] = where[n] or 0, files[n] or ""
  end
  return lines, at, names
end

-- The target that prints a text for a kernel: its own, or one for its machine, or as it is.
local function target_of(text, spec)
  if spec:match "^%S+" == text.target then
    return spec
  end
  local machine = ir.hasthreads(spec) and ir.machine(spec)
  local own = machine and text.target .. " -arch=" .. machine
  return own and ir.machine(own) and own or text.target
end

-- The kind of text that a target prints.
local function own_kind(spec)
  local word = spec:match "^%S+"
  for kind, t in pairs(printed) do
    if t.target == word then
      return kind
    end
  end
  return word == "sim" and "thread" or "cuda"
end

-- The lines of k's text of a kind, where they come from, and what it is.
local function text_of(k, kind, target)
  local spec = device.on(target and device.resolve(target) or k.spec)
  kind = kind or own_kind(spec)
  if kind == "ir" then
    local lines, at, files = of_ir(ir.text(k.P))
    return lines, at, files, say("the tile program", "分块程序"), "ir"
  elseif kind == "thread" then
    local threads = device.threads(spec)
    local lines, at, files = of_ir((ir.lowered(k.P, threads)))
    return lines, at, files, say("the thread program for %s", "%s 的线程程序", ir.machine(threads)), "ir"
  elseif printed[kind] then
    local of = target_of(printed[kind], spec)
    local text, at, files = ir.source(k.P, of)
    local language, machine = printed[kind].language, ir.machine(of)
    return split(text), at, files, machine and ("%s, %s"):format(language, machine) or
      say("%s for the %s target", "%s（%s 目标）", language, printed[kind].target)
  elseif listings[kind] then
    local of = target_of(printed.cuda, spec)
    local lines, at, files = compiled(k, kind, of)
    return lines, at, files, ("%s, %s"):format(kind:upper(), ir.machine(of))
  end
  local all, other = table.concat(M.kinds, ", "), suggest.find(kind, M.kinds)
  diag.fail(other and "src_kind_near" or "src_kind", kind, all, other)
end

-- Groups ------------------------------------------------------------------------------
-- A run of lines that come from one line.

-- What only closes a block, and what is blank, stays with what stands before it.
local function closes(text)
  return text:find "^%s*[})]*;?%s*$" or text:find "^%s*end%s*$"
end

-- Blank lines behind the last one of anybody go.
local function trim(list)
  for _, g in ipairs(list) do
    while #g > 1 and not g[#g]:find "%S" do
      g[#g] = nil
    end
  end
  return list
end

local function groups_of(lines, at, files)
  local list = {}
  for i, text in ipairs(lines) do
    local g = list[#list]
    local same = g and g.line == at[i] and g.file == files[i]
    if not g or not (same or closes(text)) then
      g = {line = at[i], file = files[i]}
      list[#list + 1] = g
    end
    g[#g + 1] = text
  end
  return list
end

-- Comments that say where what follows comes from, and lines without anything: the
-- heading of a group says that already.
local function idle(text)
  return text:find "^%s*// line %d+$" or text:find "^%s*/%* line %d+ %*/$"
end

local function strip(lines, at, files)
  local l, a, f = {}, {}, {}
  for i, text in ipairs(lines) do
    if not idle(text) then
      l[#l + 1], a[#a + 1], f[#f + 1] = text, at[i], files[i]
    end
  end
  return l, a, f
end

-- What stands before the first line of anybody, and behind the last: helpers, tables.
local function ends(list)
  local first, last
  for i, g in ipairs(list) do
    if g.line > 0 then
      first, last = first or i, i
    end
  end
  return first or #list + 1, last or #list
end

-- Printing ------------------------------------------------------------------------------

local Reset, Bold, Dim, Cyan = "\27[0m", "\27[1m", "\27[2m", "\27[36m"

local function tinted(s, tint, style)
  return style.colour > 0 and tint .. s .. Reset or s
end

local function user_line(g)
  local s = g.file ~= "" and diag.source(g.file, g.line)
  return s and s:match "^%s*(.-)%s*$" or ""
end

-- "14  T.gemm(As, Bs, Cl)"; the file where it is not the kernel's.
local function heading(g, main)
  local where = g.file ~= main and g.file:match "^[@=]?.-([^/]*)$" .. ":" or ""
  return ("%s%d"):format(where, g.line), user_line(g)
end

-- How many lines of g are shown, and what is said of the others.
local function folded(g, opts)
  local n = #g
  if opts.all or n <= Most + 2 then
    return n
  end
  local name = opts.name ~= "" and opts.name .. " " or ""
  return Most, g.line > 0 and say("... %d more lines; :src %s%d shows them",
    "……还有 %d 行；:src %s%d 可显示", n - Most, name, g.line) or say("... %d more lines; {all = true} shows them",
    "……还有 %d 行；{all = true} 可显示", n - Most)
end

local function shown(text, style, kind)
  if kind == "ir" and style.colour > 0 then
    return require("moontile.repl.irview").colour(text)
  end
  return text
end

-- The deepest common indentation of a text goes.
local function indent_of(list, from, to)
  local least
  for i = from, to do
    for _, text in ipairs(list[i]) do
      local n = text:find "%S"
      least = n and math.min(least or n, n) or least
    end
  end
  return (least or 1) - 1
end

-- A line in parts of at most `width` columns, those below the first further in.
local function wrap(text, width)
  local list, hang = {}, (text:match "^%s*"):len() + 4
  if hang > width // 2 then
    hang = 4
  end
  while term.width(text) > width do
    local part, n = "", 0
    for _, c in utf8.codes(text) do
      local s = utf8.char(c)
      if n + term.width(s) > width then
        break
      end
      part, n = part .. s, n + term.width(s)
    end
    local at = part:match "^.*()[ ,;(]"
    if at and at > #part // 2 and part:sub(1, at):find "%S" then
      part = part:sub(1, at)
    end
    list[#list + 1] = part
    text = (" "):rep(hang) .. text:sub(#part + 1):gsub("^ ", "")
  end
  list[#list + 1] = text
  return list
end

-- The user's line as a heading, what it became below it.
local function in_rows(list, from, to, style, opts, kind)
  local cut = indent_of(list, from, to)
  local room = style.tty and style.width - 7 or math.maxinteger -- a file keeps its lines
  for i = from, to do
    local g = list[i]
    if g.line > 0 then
      local number, text = heading(g, opts.main)
      print(tinted(("%4s | %s"):format(number, text), Cyan, style))
    end
    local n, more = folded(g, opts)
    for j = 1, n do
      for _, part in ipairs(wrap(g[j]:sub(cut + 1), room)) do
        print("       " .. shown(part, style, kind))
      end
    end
    if more then
      print(tinted("       " .. more, Dim, style))
    end
  end
end

-- Two columns: the user's lines left, what they became right.
local function in_columns(list, from, to, style, opts, kind)
  local left = math.min(58, style.width * 2 // 5)
  local right = style.width - left - 3
  local cut = indent_of(list, from, to)
  for i = from, to do
    local g, a, b = list[i], {}, {}
    if g.line > 0 then
      local number, text = heading(g, opts.main)
      a = wrap(("%4s %s"):format(number, text), left)
    end
    local n, more = folded(g, opts)
    for j = 1, n do
      for _, s in ipairs(wrap(g[j]:sub(cut + 1), right)) do
        b[#b + 1] = shown(s, style, kind)
      end
    end
    b[#b + 1] = more and tinted(more, Dim, style)
    for j = 1, math.max(#a, #b) do
      local l = term.pad(a[j] or "", left)
      local row = tinted(l, Cyan, style) .. (style.unicode and " │ " or " | ") .. (b[j] or "")
      print((row:gsub("%s+$", "")))
    end
  end
end

-- Only the groups of one line.
local function of_line(list, line, main)
  local r = {}
  for _, g in ipairs(list) do
    if g.line == line and (g.file == main or main == "") then
      r[#r + 1] = g
    end
  end
  return r
end

-- "7 to 19"; the lines that a text comes from.
local function lines_text(list, main)
  local seen, all = {}, {}
  for _, g in ipairs(list) do
    if g.line > 0 and g.file == main and not seen[g.line] then
      seen[g.line] = true
      all[#all + 1] = g.line
    end
  end
  table.sort(all)
  return table.concat(all, ", ")
end

-- The file that most lines come from.
local function main_file(list)
  local count, best = {}, ""
  for _, g in ipairs(list) do
    if g.line > 0 then
      count[g.file] = (count[g.file] or 0) + 1
      if count[g.file] > (count[best] or 0) then
        best = g.file
      end
    end
  end
  return best
end

-- k's text of a kind; name: what the user calls k.
function M.show(k, kind, style, opts)
  local lines, at, files, what, language = text_of(k, kind, opts.target)
  local list = trim(groups_of(strip(lines, at, files)))
  local main = main_file(list)
  local o = {all = opts.all or opts.line, main = main, name = opts.name or k.name}
  local from, to = ends(list)
  if opts.line then
    local wanted = of_line(list, opts.line, main)
    if #wanted == 0 then
      diag.fail("src_line", opts.line, k.name, lines_text(list, main))
    end
    list, from, to = wanted, 1, #wanted
  end
  print(tinted(("%s: %s"):format(k.name, what), Bold, style))
  local before, behind = 0, 0
  for i, g in ipairs(list) do
    before = before + (i < from and #g or 0)
    behind = behind + (i > to and #g or 0)
  end
  if before > 0 and not opts.line then
    if opts.all then
      in_rows(list, 1, from - 1, style, o, language)
    else
      print(tinted(say(
        "       %d lines before the kernel: helpers and declarations ({all = true} shows them)",
        "       内核之前有 %d 行：辅助函数与声明（{all = true} 可显示）", before), Dim, style))
    end
  end
  local columns = opts.cells ~= "rows" and (opts.cells == "columns" or style.width >= Wide)
  local put = columns and in_columns or in_rows
  put(list, from, to, style, o, language)
  if behind > 0 and opts.all then
    in_rows(list, to + 1, #list, style, o, language)
  end
end

return M
