local a = tl.load("tl_load_not_npy.lua")
