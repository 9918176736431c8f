import torch, tilelang
print(torch.cuda.is_available(), torch.cuda.device_count(), torch.version.hip)
@tilelang.jit(target="cuda", execution_backend="cython")
def f(M):
    return M
try:
    print(torch.cuda.get_device_capability())
except RuntimeError as e:
    print(e)
