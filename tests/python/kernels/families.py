# Modules that come together are made once, in whichever order they are imported.
import torch
from einops import rearrange
import torch.nn as nn
import torch.nn.functional as F
import tilelang
import tvm
import tilelang.language as T
print(nn is torch.nn, F is torch.nn.functional, T is tilelang.language, tilelang.jit is tilelang.jit)
print(isinstance(nn.Linear(2, 3), torch.nn.Module), rearrange(torch.zeros(2, 3), "a b -> b a").shape)
