# torch.testing.assert_close by PyTorch's defaults.
import torch
def t(name, f):
    try: f(); print(name, "passes")
    except AssertionError as e: print(name, "AssertionError:", str(e)[:300])
    except Exception as e: print(name, type(e).__name__, e)
a = torch.ones(2); ac = torch.testing.assert_close
t("1e-6", lambda: ac(a, a + 1e-6)); t("1e-4", lambda: ac(a, a + 1e-4)); t("half", lambda: ac(a.half(), (a + 1e-3).half())); t("half2", lambda: ac(a.half(), (a + 3e-3).half()))
t("dtype", lambda: ac(a, a.half())); t("dtype off", lambda: ac(a, a.half(), check_dtype=False)); t("shape", lambda: ac(a, torch.ones(3))); t("nan", lambda: ac(a * float("nan"), a * float("nan"))); t("nan eq", lambda: ac(a * float("nan"), a * float("nan"), equal_nan=True))
t("only rtol", lambda: ac(a, a, rtol=1)); t("ints", lambda: ac(torch.tensor([1, 2]), torch.tensor([1, 3]))); t("msg", lambda: ac(a, a + 1, msg="mine")); t("list", lambda: ac([1.0], [1.0])); t("num", lambda: ac(1.0, 1.5)); t("seq", lambda: ac([a, a], [a, a + 1])); t("pos", lambda: ac(a, a, 1e-3, 1e-3)); t("bf", lambda: ac(a.bfloat16(), (a + 0.01).bfloat16()))
