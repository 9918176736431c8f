local m = dofile("lib/broken.lua")
m.run()
