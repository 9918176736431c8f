-- Keeps results of its own, one after the other.
local store = require "moontile.tl.tune.store"
for i = 1, 20 do
  assert(store.keep {key = ("%s.%d"):format(os.getenv "WHO", i), kernel = "k", config = "{}", ms = 1.5})
end
