-- tests/bench/lib/cuda_torch.lua: the other side of torch_anchor.py, or why
-- there is none.
local M = {}

local function run(command)
  local p <close> = io.popen(command .. " 2>/dev/null")
  return p:read "a"
end

-- Starts the server once; false and a reason where python3 has no torch.
function M.open()
  if M.server then
    return true
  elseif M.why then
    return false, M.why
  elseif not run("python3 -c 'import torch.cuda as c; print(c.is_available())'"):find "True" then
    M.why = "python3 has no torch with a GPU"
    return false, M.why
  end
  local pipe = os.tmpname()
  os.remove(pipe)
  os.execute(("mkfifo '%s'"):format(pipe))
  M.server = io.popen(("python3 tests/bench/lib/torch_anchor.py >'%s'"):format(pipe), "w")
  M.answers = io.open(pipe)
  os.remove(pipe)
  M.about = M.ask "hello"
  return true
end

-- The answer to a line; raises what the server could not do.
function M.ask(line)
  M.server:write(line, "\n")
  M.server:flush()
  local answer = M.answers:read "l"
  if not answer then
    error("torch_anchor.py has ended", 0)
  elseif answer:find "^error " then
    error("torch_anchor.py: " .. answer:sub(7), 0)
  end
  return answer
end

-- Milliseconds of so many runs, and the back end that made them.
function M.attention(c, rounds)
  local answer = M.ask(("attention %d %d %d %d %d %s %d"):format(c.b, c.h, c.s, c.d,
    c.causal and 1 or 0, c.dtype, rounds))
  local ms = {}
  for word in answer:gmatch "%s(%S+)" do
    ms[#ms + 1] = tonumber(word)
  end
  return ms, answer:match "^%S+"
end

return M
