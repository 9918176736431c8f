# The module tempfile, and shutil.rmtree: what is made is there, and goes.
import tempfile, os, shutil
from pathlib import Path
with tempfile.TemporaryDirectory(prefix="mt_") as d:
    print(os.path.isdir(d), os.path.basename(d).startswith("mt_"))
    p = Path(d) / "x" / "y.txt"; p.parent.mkdir(parents=True); p.write_text("hi\nthere"); print(p.read_text(), p.exists(), sorted(os.listdir(d)))
print(os.path.exists(d))
with tempfile.NamedTemporaryFile("w", suffix=".py", delete=False) as f:
    f.write("a = 1\n"); name = f.name
print(name.endswith(".py"), open(name).read(), os.path.exists(name)); os.unlink(name); print(os.path.exists(name))
with tempfile.NamedTemporaryFile(mode="w+", suffix=".cu") as f:
    f.write("abc"); f.flush(); f.seek(0); print(f.read(), os.path.exists(f.name)); n = f.name
print(os.path.exists(n), os.path.dirname(n) == tempfile.gettempdir())
m = tempfile.mkdtemp(prefix="q_"); print(os.path.isdir(m)); shutil.rmtree(m); print(os.path.isdir(m))
td = tempfile.TemporaryDirectory(); print(os.path.isdir(td.name)); td.cleanup(); print(os.path.isdir(td.name))
