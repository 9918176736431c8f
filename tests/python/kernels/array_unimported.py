# Arrays have NumPy's methods also where nobody has imported NumPy.
import torch

a = torch.arange(5).numpy()
print(a.cumsum(), a.mean(), a.argmax(), a.astype("float32").sum(), a.reshape(5, 1).transpose().shape)
for i, end in enumerate(a.cumsum()):
    print(i, end)
