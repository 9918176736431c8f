# torch.linalg of small matrices: products give back what it started with; what is refused.
import torch

torch.manual_seed(5)
eye = torch.eye(4, dtype=torch.float64)
a = torch.randn(3, 2, 4, 4, dtype=torch.float64)
print(torch.allclose(a @ torch.linalg.inv(a), eye.expand(3, 2, 4, 4), atol=1e-9), torch.linalg.inv(a).shape)
b, v = torch.randn(4, 3, dtype=torch.float64), torch.randn(4, dtype=torch.float64)
print(torch.allclose(a @ torch.linalg.solve(a, b), b.expand(3, 2, 4, 3), atol=1e-9), torch.linalg.solve(a[0, 0], v).shape)
w = torch.randn(3, 2, 4, dtype=torch.float64)
print(torch.allclose((a @ torch.linalg.solve(a, w).unsqueeze(-1)).squeeze(-1), w, atol=1e-9))
s = a @ a.transpose(-1, -2) + eye
l, u = torch.linalg.cholesky(s), torch.linalg.cholesky(s, upper=True)
print(torch.allclose(l @ l.transpose(-1, -2), s), torch.allclose(u.transpose(-1, -2) @ u, s), torch.equal(l, l.tril()))


def det(m):
    if not m:
        return 1.0
    return sum((-1) ** j * m[0][j] * det([r[:j] + r[j + 1:] for r in m[1:]]) for j in range(len(m)))


got = torch.linalg.det(a)
print(got.shape, torch.allclose(got, torch.tensor([[det(a[i, j].tolist()) for j in range(2)] for i in range(3)], dtype=torch.float64)))
m = torch.tensor([[0., 2.], [4., 1.]])
print(torch.linalg.det(m), torch.det(m).shape, torch.linalg.inv(m), torch.inverse(m).dtype, torch.linalg.solve(m, torch.tensor([2., 5.])))
print(torch.linalg.det(torch.zeros(2, 2)), torch.linalg.inv(torch.zeros(0, 2, 2)).shape)
p = torch.linalg.inv(a)
print(torch.allclose(torch.matrix_power(a, -2), p @ p))
g = torch.eye(2, requires_grad=True)
with torch.no_grad():
    print(torch.linalg.inv(g))
for call in (lambda: torch.linalg.inv(torch.ones(2, 2)), lambda: torch.linalg.inv(torch.ones(2, 2, 2)), lambda: torch.linalg.inv(torch.ones(2, 3)),
             lambda: torch.linalg.inv(torch.ones(2)), lambda: torch.linalg.inv(torch.ones(2, 2, dtype=torch.int64)),
             lambda: torch.linalg.det(torch.ones(2, 2, dtype=torch.float16)), lambda: torch.linalg.cholesky(-torch.eye(2)),
             lambda: torch.linalg.solve(torch.zeros(2, 2), torch.ones(2)), lambda: torch.linalg.solve(torch.eye(2), torch.ones(3, 1)),
             lambda: torch.linalg.inv(g)):
    try:
        print(call())
    except (RuntimeError, NotImplementedError) as e:
        print(type(e).__name__, e)
