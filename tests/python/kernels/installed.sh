# TileLang and torch that are installed, or a checkout of them on PYTHONPATH, never mix with moontile's own.
here=$TMP/here
for package in tilelang/profiler tilelang/utils torch/nn math; do
    mkdir -p "$here/$package"
    echo 'raise RuntimeError("the installed one")' >"$here/$package/__init__.py"
done
echo 'raise RuntimeError("the installed one")' >"$here/torch/lazy.py"
cat >"$here/program.py" <<'END'
from tilelang.profiler import do_bench
from tilelang.utils.tensor import TensorSupplyType
import torch.nn.functional as F
import math, torch
print(math.pi, callable(do_bench), F.relu(torch.tensor([-1.0, 2.0])).tolist())
import torch.lazy
END
cd "$here" && PYTHONPATH=$here "$MOONTILE" program.py
