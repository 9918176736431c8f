-- judge/inpython.lua: the texts of a puzzle for those who write Python: its starter, its solution, and what the
-- statement, the hints and the verdict quote.  There is one source, in our Lua; this writes it as a user of
-- TileLang would.
--
--     inpython.code(lua)     statements, with their comments
--     inpython.file(lua)     a whole file: its first comment is the docstring, the imports stand below
--     inpython.prose(text)   Markdown: blocks of Lua, and what stands between backticks
--     inpython.sentence(text)   a sentence of the judge's
--
-- Not any Lua: what puzzles use.  tests/puzzles/python judges every starter and solution, and reads every
-- block.

local files = require "moontile.files"
local expressions = require "moontile.puzzles.judge.inpython_expr"
local lex = require "moontile.puzzles.judge.inpython_lex"

local M = {}

local behind, expr = expressions.behind, expressions.expr

-- Out of T's loops these are frames, entered with `with`.
local frames = {Kernel = true, ws = true}

local Group = 128 -- threads of one of T.ws

-- Output --------------------------------------------------------------------------------------

local Printer = {}
Printer.__index = Printer

-- The text with lines that go on placed below the bracket that is open.
local function aligned(text, indent)
  local out, open, column, i = {}, {}, indent, 1
  while i <= #text do
    local c = text:match("^" .. utf8.charpattern, i)
    if c == '"' or c == "'" then
      local _, to = text:find(c, i + 1, true)
      c = text:sub(i, to)
    elseif c == "(" or c == "[" or c == "{" then
      open[#open + 1] = column + 1
    elseif c == ")" or c == "]" or c == "}" then
      open[#open] = nil
    elseif c == "\n" then
      column = open[#open] or indent + 4
      out[#out + 1] = "\n" .. (" "):rep(column)
      goto continue
    end
    out[#out + 1] = c
    column = column + utf8.len(c)
    ::continue::
    i = i + #c
  end
  return table.concat(out)
end

function Printer:put(text)
  self.out[#self.out + 1] = text
end

-- A line of the current depth; comment: a token or nil, holes: texts.
function Printer:line(text, comment, holes)
  local indent = self.depth * 4
  text = (" "):rep(indent) .. aligned(text, indent)
  local notes = table.concat(holes or {}, "; ")
  if comment then
    notes = (notes ~= "" and notes .. "; " or "") .. comment.text:match "^%s*(.-)%s*$"
  end
  if notes ~= "" then
    local width = utf8.len(text:match "[^\n]*$")
    local column = comment and comment.gap ~= " " and comment.column - self.shift + indent or 0
    text = text .. (" "):rep(math.max(2, column - width)) .. "# " .. notes
  end
  self:put(text)
  self.empty = false
end

function Printer:comment(token)
  local text = token.text:match "^%s?(.-)%s*$"
  self:put((" "):rep(self.depth * 4) .. (text == "" and "#" or "# " .. text))
end

-- Reading -------------------------------------------------------------------------------------

function Printer:peek()
  return self.tokens[self.at]
end

function Printer:at_word(text)
  local t = self:peek()
  return t ~= nil and t.kind == "keyword" and t.text == text
end

-- The comment that stands on the line of what was read last, or nil.
function Printer:trailing()
  local t = self:peek()
  if t and t.kind == "comment" and t.lines == 0 then
    self.at = self.at + 1
    return t
  end
end

local ends = {["end"] = true, ["else"] = true, ["elseif"] = true, ["return"] = true, ["local"] = true, ["for"] = true,
  ["if"] = true, ["while"] = true}

-- The tokens from here to the keyword `last` (which is read too), or to the end of the statement.
function Printer:upto(last)
  local t, from, i = self.tokens, self.at, self.at
  while t[i] do
    local token = t[i]
    if last and token.kind == "keyword" and token.text == last then
      break
    elseif not last and (i > from and token.lines > 0 or token.kind == "comment" or
      token.kind == "keyword" and ends[token.text]) then
      break
    elseif token.text == "function" and token.kind == "keyword" then
      repeat
        i = i + 1
      until not t[i] or t[i].kind == "keyword" and t[i].text == "end"
    end
    i = token.kind == "sign" and token.text:find "^[%(%[{]$" and behind(t, i) or i + 1
  end
  self.at = last and i + 1 or i
  return table.move(t, from, i - 1, 1, {})
end

-- Statements ----------------------------------------------------------------------------------

-- A block behind `head`, up to its end or else; `first`: a line that it begins with.
function Printer:block(head, holes, first)
  local shift = self.shift
  self:line(head, self:trailing(), holes)
  self.depth, self.empty = self.depth + 1, true
  if self:peek() and self:peek().lines > 0 then
    self.shift = self:peek().column
  end
  if first then
    self:line(first)
  end
  self:statements()
  if self.empty and not self.inline then -- a block that the text leaves open goes on somewhere
    self:line(self:peek() and "pass" or "...")
  end
  self.depth, self.empty, self.shift = self.depth - 1, false, shift
end

-- `0, N - 1` of a numeric loop as the arguments of range().
local function range(tokens, holes)
  local parts, one, i = {}, {}, 1
  while i <= #tokens + 1 do
    local t = tokens[i]
    if not t or t.text == "," then
      parts[#parts + 1], one = expr(one, holes), {}
      i = i + 1
    else
      local next = t.kind == "sign" and t.text:find "^[%(%[{]$" and behind(tokens, i) or i + 1
      table.move(tokens, i, next - 1, #one + 1, one)
      i = next
    end
  end
  local last = parts[2]:match "^(.*) %- 1$" or tonumber(parts[2]) and tostring(tonumber(parts[2]) + 1) or parts[2] .. " + 1"
  return (parts[1] == "0" and not parts[3] and "" or parts[1] .. ", ") .. last .. (parts[3] and ", " .. parts[3] or "")
end

local function names_of(tokens)
  local names = {}
  for _, t in ipairs(tokens) do
    if t.kind == "name" then
      names[#names + 1] = t.text
    end
  end
  return names
end

-- with T.Kernel(..) as bx: and with T.ws(g): -> head, the block's first line; used: is the name?
local function with(names, what, text, used)
  if what == "ws" and not used then
    return ("with %s:"):format(text)
  elseif what == "ws" then
    local group = text:match "%((.*)%)$"
    local from = group == "0" and "" or group == "1" and " - " .. Group or (" - %d * %s"):format(Group, group)
    return ("with %s:"):format(text), ("%s = T.get_thread_binding()%s"):format(names[1], from)
  end
  local targets = table.concat(names, ", ")
  return ("with %s as %s:"):format(text, #names > 1 and "(" .. targets .. ")" or targets)
end

local opening = {["for"] = true, ["if"] = true, ["while"] = true, ["function"] = true}

-- Does the block that begins here, up to its `end`, have the name?
function Printer:uses(name)
  local depth = 0
  for i = self.at, #self.tokens do
    local t = self.tokens[i]
    if t.kind == "name" and t.text == name then
      return true
    elseif t.kind == "keyword" and t.text == "end" then
      depth = depth - 1
    elseif t.kind == "keyword" and opening[t.text] then
      depth = depth + 1
    end
    if depth < 0 then
      return false
    end
  end
  return false
end

function Printer:loop()
  self.at = self.at + 1
  local head, holes = {}, {}
  while self:peek() and self:peek().text ~= "in" and self:peek().text ~= "=" do
    head[#head + 1] = self:peek()
    self.at = self.at + 1
  end
  local numeric, names = self:peek().text == "=", names_of(head)
  self.at = self.at + 1
  local over = self:upto "do"
  local what = over[1] and over[1].text == "T" and over[3] and over[3].text
  if numeric then
    self:block(("for %s in range(%s):"):format(names[1], range(over, holes)), holes)
  elseif frames[what] then
    local line, first = with(names, what, expr(over, holes), self.inline or self:uses(names[1]))
    self:block(line, holes, first)
  else
    self:block(("for %s in %s:"):format(table.concat(names, ", "), expr(over, holes)), holes)
  end
  self:close()
end

-- Reads `end`, if the text has it.
function Printer:close()
  self.at = self:at_word "end" and self.at + 1 or self.at
end

function Printer:branch()
  local word = "if"
  repeat
    self.at = self.at + 1
    local holes = {}
    local condition = self:upto "then"
    self:block(("%s %s:"):format(word, expr(condition, holes)), holes)
    word = "elif"
  until not self:at_word "elseif"
  if self:at_word "else" then
    self.at = self.at + 1
    self:block "else:"
  end
  self:close()
end

-- Names that the body declares as tensors or scalars: `A: T.Tensor(..)`.
local function declared(tokens, at)
  local names = {}
  for i = at, #tokens - 2 do
    local t = tokens[i]
    if t.lines > 0 and t.kind == "name" and tokens[i + 1].text == ":" and tokens[i + 2].gap ~= "" then
      names[t.text] = true
    elseif t.kind == "keyword" and t.text == "function" and i > at then
      break
    end
  end
  return names
end

-- NAME = tl.jit(function(A, BLOCK) .. end) -> @tilelang.jit, def NAME(A, BLOCK: int):
function Printer:kernel()
  local t, at = self.tokens, self.at
  local close = behind(t, at + 7)
  local own = declared(t, close)
  local parameters = {}
  for _, name in ipairs(names_of(table.move(t, at + 8, close - 2, 1, {}))) do
    parameters[#parameters + 1] = name .. (own[name] and "" or ": int")
  end
  if self.started then
    while self.out[#self.out] == "" do
      self.out[#self.out] = nil
    end
    local note = {} -- the comment above it stays with it
    while (self.out[#self.out] or ""):find "^#" do
      table.insert(note, 1, table.remove(self.out))
    end
    while self.out[#self.out] == "" do
      self.out[#self.out] = nil
    end
    if #self.out > 0 then
      self:put ""
      self:put ""
    end
    table.move(note, 1, #note, #self.out + 1, self.out)
  end
  self:line "@tilelang.jit"
  self.at = close
  self:block(("def %s(%s):"):format(t[at].text, table.concat(parameters, ", ")))
  self:close()
  self.at = self:peek() and self:peek().text == ")" and self.at + 1 or self.at
end

local kernel_head = {"=", "tl", ".", "jit", "(", "function", "("}

function Printer:at_kernel()
  for i, text in ipairs(kernel_head) do
    local t = self.tokens[self.at + i]
    if not t or t.text ~= text then
      return false
    end
  end
  return true
end

function Printer:simple()
  local tokens, holes = self:upto(), {}
  if #tokens == 0 then -- nothing that a statement begins with
    self.at = self.at + 1
    return
  end
  local text, comment = expr(tokens, holes), self:trailing()
  self:line(text:find "=$" and text .. " ..." or text, comment, holes)
end

function Printer:local_()
  self.at = self.at + 1
  self:simple()
end

function Printer:return_()
  self.at = self.at + 1
  local holes = {}
  self:line("return " .. expr(self:upto(), holes), self:trailing(), holes)
end

function Printer:while_()
  self.at = self.at + 1
  local holes = {}
  local condition = self:upto "do"
  self:block(("while %s:"):format(expr(condition, holes)), holes)
  self:close()
end

local by_word = {["for"] = Printer.loop, ["if"] = Printer.branch, ["local"] = Printer.local_,
  ["return"] = Printer.return_, ["while"] = Printer.while_}

function Printer:statements()
  while self:peek() do
    local t = self:peek()
    if self.started and t.lines > 1 then
      self:put ""
    end
    if t.kind == "keyword" and (t.text == "end" or t.text == "else" or t.text == "elseif") then
      return
    elseif t.kind == "comment" then
      self:comment(t)
      self.at = self.at + 1
    elseif self:at_kernel() then
      self:kernel()
    else
      (t.kind == "keyword" and by_word[t.text] or Printer.simple)(self)
    end
    self.started = true
  end
end

-- Texts ---------------------------------------------------------------------------------------

-- The lines of statements; inline: of what stands in a sentence.
local function lines(text, inline)
  local p = setmetatable({tokens = lex(text), at = 1, out = {}, depth = 0, shift = 0, inline = inline}, Printer)
  p.shift = p.tokens[1] and p.tokens[1].column or 0
  p:statements()
  while p:peek() do -- an end that belongs to what the text leaves out
    p.at = p.at + 1
    p:statements()
  end
  return p.out
end

-- Lines of the prompt's own commands stay.
function M.code(text)
  local out, part = {}, {}
  local function finish()
    if #part > 0 then
      for _, l in ipairs(lines(table.concat(part, "\n"))) do
        out[#out + 1] = l
      end
      part = {}
    end
  end
  for line in (text:gsub("\n*$", "\n")):gmatch "(.-)\n" do
    if line:find "^:" then
      finish()
      out[#out + 1] = line
    else
      part[#part + 1] = line
    end
  end
  finish()
  return table.concat(out, "\n") .. "\n"
end

-- Lines of comments at the head of a file -> their text, how many
local function head_of(list)
  local head, n = {}, 0
  for _, line in ipairs(list) do
    local text = line:match "^#%s?(.*)$"
    if not text then
      break
    end
    head[#head + 1], n = text:match "^%s*(.-)%s*$", n + 1
  end
  return head, n
end

function M.file(text)
  local list = lines(text)
  local head, n = head_of(list)
  local out = {}
  if #head > 0 then
    out[1] = '"""' .. table.concat(head, "\n") .. '"""\n'
  end
  if text:find "%f[%w]math%." then
    out[#out + 1] = "import math\n"
  end
  out[#out + 1] = "import tilelang\nimport tilelang.language as T\n"
  local body = table.concat(list, "\n", n + 1):gsub("^\n+", "")
  return table.concat(out, "\n") .. (body:find "^@" and "\n\n" or body:find "^#[^\n]*\n@" and "\n\n" or "\n") .. body .. "\n"
end

-- Words of our Lua that a sentence names, where Python has another.
local named = {["true"] = "True", ["false"] = "False", ["nil"] = "None", ["local"] = "=", ["help lua"] = "help python"}

-- A file that has a twin in Python: a learner's own, or an example.
local function twin(path)
  local other = path:gsub("%.lua$", ".py")
  return (path:find "^%d+%-" or files.embedded(other)) and other or path
end

-- Named arguments, without their braces.
local function arguments(bare)
  return expr(lex("f{" .. bare .. "}"), {}):match "^f%((.*)%)$"
end

-- What stands between backticks.
local function span(text)
  local bare = text:match "^{([%a_][%w_]* = .*)}$"
  if named[text] then
    return named[text]
  elseif text:find "^[%w_%-/]+%.lua$" then
    return twin(text)
  elseif text:find "^:astype%(" then
    return "." .. text:sub(2)
  elseif text:find "^moontile " then
    return (text:gsub("(%d+%-[%w%-]+)%.lua", "%1.py"))
  elseif text:find "^[:%-]" or text:find "^[%l-]+$" or text:find "^help " or not text:find "[%w_]" then
    return text
  elseif bare then
    return arguments(bare)
  end
  local joined = table.concat(lines(text, true), " "):gsub("%s+", " ")
  return joined ~= "" and joined or text
end

-- Prose without backticks: calls, methods, names in braces, and what the language is called.
local function plain(text)
  return (text:gsub("for ([%w_, ]+) in (T%.Kernel%b())", "with %2 as %1"):gsub("(T%.[%w_]+)(%b())", function(name, rest)
    return expr(lex(name .. rest), {})
  end):gsub(":(astype)%(", ".%1("):gsub("{([%a_][%w_]* = [^{}]*)}", arguments):gsub("%f[%w]Lua%f[%W]", "Python"))
end

-- Sentences, their lines as they are: what stands between backticks may go on in the next line.
local function sentences(text)
  local parts, at = {}, 1
  for from, code, to in text:gmatch "()`([^`]+)`()" do
    local joined = code:gsub("%s*\n%s*", " ")
    local new = span(joined)
    parts[#parts + 1] = plain(text:sub(at, from - 1))
    parts[#parts + 1] = "`" .. (new == joined and code or new) .. "`"
    at = to
  end
  parts[#parts + 1] = plain(text:sub(at))
  return table.concat(parts)
end

M.sentence = sentences

function M.prose(text)
  local out, body, info = {}, {}, nil
  local function finish()
    local whole = table.concat(body, "\n")
    if #body > 0 then
      out[#out + 1] = info == "lua" and M.code(whole):gsub("\n$", "") or info and whole or sentences(whole)
    end
    body = {}
  end
  for line in (text:gsub("\n*$", "\n")):gmatch "(.-)\n" do
    if line:find "^```" and (not info or line:find "^```%s*$") then
      finish()
      info = not info and line:sub(4) or nil
      out[#out + 1] = info == "lua" and "```python" or line
    else
      body[#body + 1] = line
    end
  end
  finish()
  return table.concat(out, "\n") .. "\n"
end

return M
