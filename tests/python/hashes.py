# hashlib and shutil: digests of messages around a block's end; copies of a file.
import hashlib
import os
import shutil

for n in 0, 1, 3, 55, 56, 57, 63, 64, 65, 119, 120, 200:
    data = b"moontile 0123456789 "[: n % 20] + b"\x00\xff~" * (n // 3)
    print(n, hashlib.sha256(data).hexdigest(), hashlib.md5(data).hexdigest())
h = hashlib.new("sha256")
h.update(b"abc")
g = h.copy()
h.update(b"def")
print(h.hexdigest() == hashlib.sha256(b"abcdef").hexdigest(), g.hexdigest()[:16], g.digest()[:4], h.name, h.digest_size)
for f in lambda: hashlib.sha256("text"), lambda: hashlib.new("nothing"), lambda: shutil.copyfile("absent.txt", "to.txt"):
    try:
        f()
    except Exception as e:
        print(type(e).__name__)
here = os.environ.get("TMPDIR", "/tmp") + "/moontile-hashes-%d" % os.getpid()
with open(here, "wb") as f:
    f.write(b"a\x00b" * 10)
print(shutil.copyfile(here, here + ".copy") == here + ".copy", open(here + ".copy", "rb").read() == b"a\x00b" * 10)
try:
    shutil.copy(here, here)
except OSError as e:
    print("the same")
os.remove(here)
os.remove(here + ".copy")
print(shutil.which("no such program"), shutil.which("sh") is not None)
