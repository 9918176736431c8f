-- Keeps results of its own, one after the other; with an argument, each is said.
local store = require "moontile.tl.tune.store"
for i = 1, 20 do
  local key = ("%s.%d"):format(os.getenv "WHO", i)
  assert(store.keep {key = key, kernel = "k", config = "{}", ms = 1.5})
  if arg[1] then
    print(key)
    io.stdout:flush()
  end
end
