tl.jit{out_idx = {-1}}:compile()
