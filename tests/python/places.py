s = "aé日𝄞" * 50
print(len(s), [s[i] for i in range(-5, 5)], s[3:9], s[190:], s[199], s[-200], s[::7], s[150:140], s[128], s[127:130], s[:0], s[200:], s.find("日", 100), s.index("𝄞", 3, 20), s.count("é"), s.rfind("a"), s[64:66])
try:
    s[200]
except IndexError as e:
    print(e)
t = "x" * 100 + "é"
print(t[100], t[99], t[-1], len(t), t[98:])
n = 0
s = "ab\u00e9" * 30000
for i in range(len(s)):  # not the square of its length
    if s[i] == "a":
        n += 1
print(n)
