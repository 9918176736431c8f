import re
print(re.match(r"(\w+) (\w+)", "hello world foo").groups(), re.search(r"\d+", "ab 123 c").group(), re.findall(r"\d+", "1 22 333"), re.findall(r"(\w)=(\d)", "a=1 b=2"))
print(re.sub(r"\s+", " ", "a  b \t c"), re.sub(r"(\w)(\d)", r"\2\1", "a1 b2"), re.sub("x", lambda m: m.group().upper(), "axbx", count=1), re.split(r"[,;]\s*", "a, b;c"), re.split(r"(,)", "a,b"))
m = re.search(r"(?P<key>\w+)\s*:\s*(?P<val>[\d.]+)", "foo : 3.5 bar")
print(m, m.group("key"), m["val"], m.groupdict(), m.span(), m.start(2), m.end("val"), m.group(1, 2))
print(re.match("a", "ba"), re.fullmatch(r"\d{2,3}", "1234"), re.fullmatch(r"\d{2,4}", "1234"), re.match(r"a.*?b", "axbxb").group(), re.match(r"a.*b", "axbxb").group())
print(re.findall(r"^\w", "ab\ncd", re.M), re.findall("A", "aA", re.I), re.findall(r"a(?=b)", "ab ac"), re.findall(r"(?<!x)y", "xy zy"), re.findall(r"\bfoo\b", "foo food foo"), re.match(r"(a)|(b)", "b").groups())
p = re.compile(r"tl\.(\w+)")
print(p, p.pattern, p.findall("tl.a tl.b"), p.sub("T.\\1", "tl.copy"), [x.start() for x in p.finditer("tl.a tl.b")], re.escape("a.b*c"), re.subn("a", "b", "aaa"))
print(re.findall(r"(a+)(b*)", "aabaa"), re.match(r"(\w)\1", "aab").group(), re.split(r"\s+", " a b "), re.findall(r"[^\W\d_]+", "ab1_cd"), re.match(r"(?:ab)+", "ababx").end(), re.findall("", "ab"), re.sub("", "-", "ab"), re.findall(r"x*", "axb"))
for bad in ["(", "[a", "*a", "a)", r"\1", "(?z)"]:
    try:
        re.compile(bad)
    except re.error as e:
        print(e)
