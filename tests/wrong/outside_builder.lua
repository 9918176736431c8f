local s = T.alloc_shared({128}, T.float32)
