# numpy.linalg and the exceptions of it and of torch.linalg; os.replace.
import os
import tempfile

import numpy as np
import numpy.linalg as la
import torch
from numpy.linalg import LinAlgError

a = np.array([[4, 2], [2, 3]])
print(la.inv(a), la.inv(a).dtype)
print(la.det(a), np.linalg.solve(a, np.ones(2)), la.cholesky(np.eye(2, dtype="float32")))
print(la.norm(np.array([3.0, 4.0])), la.norm(a, axis=0, ord=1), la.norm(np.array([3, -4]), np.inf), la.norm(a, "fro"))
for call in (
    lambda: la.inv(np.zeros((2, 2))),
    lambda: la.solve(np.zeros((2, 2)), np.ones(2)),
    lambda: la.cholesky(-np.identity(2)),
    lambda: la.inv(np.ones((2, 3))),
    lambda: la.det(np.ones(2)),
    lambda: la.inv(np.ones((2, 2), dtype="float16")),
    lambda: la.norm(a, 2),
    lambda: la.svd(a),
):
    try:
        print(call())
    except (LinAlgError, TypeError, NotImplementedError, AttributeError) as e:
        print(type(e).__name__, e)
try:
    torch.linalg.inv(torch.zeros(2, 2))
except torch.linalg.LinAlgError as e:
    print(type(e).__name__, isinstance(e, RuntimeError), issubclass(LinAlgError, ValueError))
with tempfile.TemporaryDirectory() as d:
    for name in ("a", "b"):
        with open(os.path.join(d, name), "w") as f:
            f.write(name)
    os.replace(os.path.join(d, "a"), os.path.join(d, "b"))
    print(os.listdir(d), open(os.path.join(d, "b")).read())

# Shapes and orders as NumPy has them, not PyTorch.
b = np.array([[[2.0, 1.0], [1.0, 3.0]], [[4.0, 0.0], [1.0, 1.0]]])
print(la.solve(b, np.array([[1.0, 2.0], [3.0, 4.0]])).shape, la.solve(b, np.array([1.0, 2.0])).shape)
print(la.norm(a, 1), la.norm(a, -np.inf), la.norm(b, axis=(1, 2)), la.norm(b, 1, axis=(0, 2), keepdims=True).shape)
print(la.norm(np.array([0, 3, -4]), 0), la.norm(b), la.norm(np.array([1.0, 2.0]), -1))
for call in (
    lambda: la.norm(a, "fro", axis=0),
    lambda: la.norm(b, "fro"),
    lambda: la.norm(a, 3),
    lambda: la.norm(b, axis=3),
    lambda: la.solve(b, np.ones(3)),
    lambda: os.replace("/nowhere/a", "/nowhere/b"),
):
    try:
        print(call())
    except (ValueError, OSError) as e:
        print(type(e).__name__, e)
