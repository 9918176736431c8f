# untyped_storage(): what a tensor and its views share; what is not counted is refused by name.
import torch

t = torch.arange(12, dtype=torch.float32).reshape(3, 4)
s, v = t.untyped_storage(), t[1:, 2:]
print(type(s).__name__, s.size(), s.nbytes(), len(s), s.data_ptr() == t.data_ptr())
print(v.untyped_storage().data_ptr() == s.data_ptr(), v.data_ptr() - v.untyped_storage().data_ptr(), v.untyped_storage().nbytes())
print(t.clone().untyped_storage().data_ptr() == s.data_ptr(), t.t().untyped_storage().data_ptr() == s.data_ptr())
print(torch.zeros(3, dtype=torch.int8).untyped_storage().nbytes(), torch.zeros(5, dtype=torch.bfloat16)[1:].untyped_storage().size())
print(torch.zeros(0).untyped_storage().nbytes(), t.view(torch.int32).untyped_storage().data_ptr() == s.data_ptr())
try:
    getattr(t, "_version", 0)
except NotImplementedError as e:
    print(e)
