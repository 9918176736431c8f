import torch
import tilelang.language as T

T.Kernel
torch.no_such_function(1)
