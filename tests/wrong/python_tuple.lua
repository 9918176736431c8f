local s = T.alloc_shared((4, 4), T.float32)
