# Texts of files are UTF-8: what is none is refused, with the place; read(n) counts characters.
import os, tempfile

path = os.path.join(tempfile.mkdtemp(), "f")


def put(data):
    with open(path, "wb") as f:
        f.write(data)


def read(how, **options):
    try:
        with open(path, **options) as f:
            print(ascii(how(f)))
    except (UnicodeError, ValueError, LookupError) as e:
        print(type(e).__name__, e)


for data in [b"a\xffb", b"ab\xc3", b"\xe4\xb8", b"a\xed\xa0\x80", b"\xf0\x9f\x98x", b"\xc0\xaf", b"ok\n\xc3\xa9\n\x80", b"\xf5a"]:
    put(data)
    print(data)
    read(lambda f: f.read())
    read(lambda f: f.read(), encoding="utf-8")
    read(lambda f: f.read(), encoding="ascii")
    read(lambda f: f.read(), mode="rb")
    try:
        data.decode()
    except UnicodeDecodeError as e:
        print(e)
put("é中😀abc".encode())
for n in range(8):
    read(lambda f: f.read(n))
read(lambda f: [f.read(1) for i in range(8)])
read(lambda f: [f.read(2), f.read(-1), f.read()])
read(lambda f: f.read(3), mode="rb")
put("é\n中\n".encode())
read(lambda f: f.readlines())
read(lambda f: [f.readline(), f.read(1), f.read()])
read(lambda f: list(f), encoding="UTF8")
read(lambda f: f.read(), encoding="US-ASCII")


def write(text, **options):
    try:
        with open(path, "w", **options) as f:
            print(f.write(text))
        with open(path, "rb") as f:
            print(f.read())
    except (UnicodeError, ValueError, LookupError) as e:
        print(type(e).__name__)


write("é")
write("abc", encoding="ascii")
write("é", encoding="ascii")
write("\ud800")
try:
    import pathlib
    pathlib.Path(path).write_text("é中")
    print(ascii(pathlib.Path(path).read_text()), ascii(pathlib.Path(path).read_text(encoding="utf-8")))
    print(pathlib.Path(path).read_text(encoding="ascii"))
except UnicodeDecodeError as e:
    print(e)
