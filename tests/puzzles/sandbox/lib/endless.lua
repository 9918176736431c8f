-- Evaluates a text that does not end.
local sandbox = require "moontile.puzzles.judge.sandbox"
local r, why = sandbox.evaluate {text = "while true do end", chunk = "@f.lua",
  limits = {seconds = 50, instructions = 1 << 60}}
print(r, why and why.reason)
