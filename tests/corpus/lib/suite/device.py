# device.py: tilelang.utils.device: what tests make their tensors on.
IS_CUDA = True
IS_MPS = False
IS_HIP = False


def get_current_device():
    return "cuda"
