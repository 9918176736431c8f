-- What the texts quote is Python: every block is read as such, and no word of Lua's grammar is left.
local inpython = require "moontile.puzzles.judge.inpython"
local puzzle = require "moontile.puzzles.judge.puzzle"
local reader = require "moontile.pyreader"

local blocks, spans = 0, 0

local function complain(p, file, what, text)
  print(("%s/%s: %s\n%s"):format(p.folder, file, what, text))
end

-- The prompt's own commands, as `:trace k`, are of no language.
local function check_block(p, file, text)
  blocks = blocks + 1
  local code = (text .. "\n"):gsub("%f[^\n\0]:[^\n]*\n", "")
  code = code:find "^return " and "def f():\n    " .. code or code
  local ok, err = reader.translate(code, "@" .. file)
  if not ok then
    complain(p, file, tostring(err), text)
  end
end

-- Words of Lua's grammar, and its signs.
local signs = {"%f[%w_]local%f[^%w_]", "%f[%w_]then%f[^%w_]", "%f[%w_]do$", "%f[%w_]nil%f[^%w_]", "%f[%w_]true%f[^%w_]",
  "%f[%w_]false%f[^%w_]", "~=", "%-%-%[", "{[%w_]+ = ", ":astype", "tl%.jit", "%f[%w_]end$"}

-- Those that no sentence has otherwise: "true" and "then" are English.
local values = {"%f[%w_]nil%f[^%w_]", "= ?true%f[^%w_]", "%f[%w_]false%f[^%w_]", "~=", "{[%w_]+ = ", ":astype"}

local function check_span(p, file, text, words)
  spans = spans + 1
  for _, sign in ipairs(words or signs) do
    if text:find(sign) then
      complain(p, file, "Lua", text)
    end
  end
end

-- What the judge says of an answer, which is not always between backticks.
local sentences = 0

local function check_sentences(p)
  for _, part in ipairs(p.parts) do
    for _, e in ipairs(part.explain or {}) do
      for _, text in pairs(e.python or {en = inpython.sentence(e.en), zh = inpython.sentence(e.zh)}) do
        sentences = sentences + 1
        check_span(p, "puzzle.lua", text, values)
      end
    end
  end
end

for _, p in ipairs(puzzle.course().puzzles) do
  check_sentences(p)
  for _, file in ipairs {"en.md", "zh.md", "hints.en.md", "hints.zh.md", "after.en.md", "after.zh.md"} do
    local text = inpython.prose(p.read(file))
    text = text:gsub("```(%w*)[^\n]*\n(.-)```", function(info, body)
      if info == "python" then
        check_block(p, file, body)
      end
      return ""
    end)
    for code in text:gmatch "`([^`]+)`" do
      check_span(p, file, code)
    end
  end
  check_block(p, "starter", inpython.file(p.read "starter.lua"))
  check_block(p, "solution", inpython.file(p.read "solution.lua"))
end
print(blocks .. " blocks, " .. spans - sentences .. " names and pieces of code, " .. sentences .. " sentences")

-- One of each statement and of each kind of table.
print(inpython.file [==[
-- 1. Everything that puzzles use
-- in two lines

local LOG2E = 1.44 -- a constant

-- About the kernel.
every = tl.jit(function(A, s, BLOCK)
  local M, N = T.const "M, N"
  A: T.Tensor({M, N}, T.float16)
  local B = T.empty({M}, T.float32)
  for bx, by in T.Kernel(M, N, {threads = 128}) do      -- two directions
    local x = T.alloc_var(T.float32, 0)
    local bars = T.alloc_barrier {128, 128}
    local scale = math.sqrt(N)
    T.annotate_layout {[A] = T.Layout({8, 8}, function(i, j)
      return i * 8 + (j ~ i)
    end)}
    for k in T.Pipelined(BLOCK, {num_stages = 2}) do
      T.copy(A[bx * BLOCK:(bx + 1) * BLOCK, 0:4], --[[ where to? ]] )
      if k > 0 and k ~= 3 then
        x = -x + (k ~ 1) * 2 ^ 3
      elseif not (k == 1) then
        x += A[bx, k]:astype(T.float32)
      else
        -- nothing
      end
    end
    for t in T.ws(1) do
      B[t] = T.if_then_else(t < 3, x,
                            -T.infinity(T.float32))
    end
    for t in T.ws(0) do x = 0 end
    while x < 3 do
      x = k % 2 == 0 and 1 or 2
    end
    for i = 0, N - 1 do
      for j = 1, 4 do
        ..
      end
    end
    -- your turn
  end
  return B
end)

second = tl.jit(function(A)
  A: T.Tensor({4}, T.float16)
  for m, n in T.Persistent({2, 3}, 4, p, {group_size = 2}) do
  end
end)
]==])
print(inpython.prose [[
A kernel is a Lua function given to `tl.jit`; `{m}` and `{m, n}`, `x:astype(T.float32)`, `nil`, `if`, `..`,
`T.Pipelined(n, {num_stages = s})`, `05-row-sum.lua`, `lua/examples/row_sum.lua`, `moontile -i
05-row-sum.lua`, `for t in T.ws(g) do .. end`, `{policy = T.x}`, `role .. "producer"`, `:trace`. With
T.alloc_fragment({BLOCK_M, BLOCK_N}, T.float32) and {num_stages = 2}.

```lua
for ko in T.Pipelined(n, {num_stages = 3}) do
```
```text
local stays
```]])
