-- Looking changes nothing: see lib/examples.lua.
dofile "lib/examples.lua" ("sim -arch=sm_80")
