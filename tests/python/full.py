# What a file could not keep is said: by write, by flush, or at the latest by close, as CPython does.
import os

if not os.path.exists("/dev/full"):
    raise SystemExit("no /dev/full")


def told(what, f):
    try:
        f()
        print(what, "nothing")
    except OSError as e:
        print(what, type(e).__name__, e.errno, e.strerror, e.filename, e)


def with_block():
    with open("/dev/full", "w") as f:
        f.write("a few")


def closed():
    f = open("/dev/full", "w")
    f.write("a few")
    try:
        f.close()
    finally:
        print(f.closed)


def flushed():
    f = open("/dev/full", "w")
    f.write("a few")
    try:
        f.flush()
    finally:
        try:
            f.close()
        except OSError:
            pass


def large():
    f = open("/dev/full", "w")
    try:
        f.write("x" * 1000000)
    finally:
        try:
            f.close()
        except OSError:
            pass


def lines():
    with open("/dev/full", "w") as f:
        f.writelines(["a\n", "b\n"])


def printed():
    with open("/dev/full", "w") as f:
        print("a few", file=f)


def bytes_too():
    with open("/dev/full", "wb") as f:
        f.write(b"a few")


def other_error():
    with open("/dev/full", "w") as f:
        f.write("a few")
        raise KeyError("from the block")


for f in (with_block, closed, flushed, large, lines, printed, bytes_too, other_error):
    told(f.__name__, f)
with open("/dev/null", "w") as f:
    f.write("all")
f.close()
print(f.closed)
