# Halves of surrogate pairs are characters, as in CPython, which no encoding takes.
s = "\ud800"
print(len(s), repr(s), ascii(s), ord(s), s == "\ud800", [s], len("a\udfffb"), "a\udfffb"[1] == "\udfff", hex(ord("a\udfffb"[1])), ascii("é\ud83d"))
for c in "x\ud801y":
    print(ascii(c))
print(ascii("x\ud801y"[::-1]), ascii(chr(0xd800)), "\ud800" in "a\ud800")
try:
    "ab\ud800".encode()
except UnicodeEncodeError as e:
    print(e)
print(f"{chr(0xdfff)!r:>10}", "%r" % "\udabc", len("\ud83d" + "\ude00"))
