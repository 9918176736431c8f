-- Each process gives an answer: of programs that end well, that fail, and that go beyond a limit.
-- One that ends without a word would be tried once more, so the processes are counted here.
local box = require "moontile.sandbox"
local run, processes, silent = box.run, 0, 0

function box.run(...)
  local r = run(...)
  processes = processes + 1
  silent = silent + (r.answer == "" and 1 or 0)
  return r
end

local judge = require "moontile.puzzles.judge.sandbox"
local lib = dofile "lib/try.lua"
local endless = 1 << 50

local programs = {
  {"right", lib.kernel},
  {"wrong", "error 'no'"},
  {"instructions", "while true do end", {instructions = 100000}},
  {"memory", "t = {} while true do t[#t + 1] = ('x'):rep(1 << 20) end", {memory = 16 << 20}},
  {"time", "x = ('a'):rep(40):find(('a*'):rep(40) .. 'b')", {seconds = 0.02}},
  {"time", "t = {} while true do t[#t + 1] = {} end", {seconds = 0.01, instructions = endless}},
  {"time", "local function f(n) return n == 0 and 0 or 1 + f(n - 1) end while true do pcall(f, 1e5) end",
    {seconds = 0.01, instructions = endless}},
}

local function outcome(program)
  local r, why = judge.evaluate {text = program[2], chunk = "@loop.lua", target = "sim",
    limits = program[3], traces = {lib.trace}}
  return why and why.reason or (r.error or r.results[1].error) and "wrong" or "right"
end

local rounds = 6
for _ = 1, rounds do
  for _, program in ipairs(programs) do
    local got = outcome(program)
    if got ~= program[1] then
      print(program[1], "was", got)
    end
  end
end
print("processes besides one for each", processes - rounds * #programs, "without a word", silent)
