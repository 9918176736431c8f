# What a failed torch.testing.assert_close says, as an exception's text.
import torch

for actual, expected in (
    (torch.zeros(4), torch.ones(4)),
    (torch.tensor([1, 2, 5]), torch.tensor([1, 2, 3])),
    (torch.tensor([[1.0, 2.25], [float("nan"), 4.0]]), torch.tensor([[1.0, 2.0], [3.0, 4.0]])),
):
    try:
        torch.testing.assert_close(actual, expected)
    except AssertionError as e:
        print(e, "\n")
