# heapq, bisect, io.StringIO.
import bisect
import contextlib
import heapq
import io

h = [5, 3, 8, 1, 9, 2, 7, 3]
heapq.heapify(h)
print(h)
for v in [4, 0, 6]:
    heapq.heappush(h, v)
print(h, heapq.heappushpop(h, 2), heapq.heappushpop(h, -1), heapq.heapreplace(h, 10), h)
print([heapq.heappop(h) for _ in range(len(h))], h)
jobs = []
for name, cost in [("b", 2.5), ("a", 2.5), ("c", 1)]:
    heapq.heappush(jobs, (cost, name))
print(heapq.heappop(jobs), jobs, heapq.nsmallest(2, [5, 1, 4, 1]), heapq.nlargest(2, ["bb", "a", "ccc", "dd"], key=len), heapq.nsmallest(0, [1]))
try:
    heapq.heappop([])
except IndexError as e:
    print(e)

b = [1, 3, 3, 5, 7]
print([bisect.bisect(b, v) for v in range(9)], [bisect.bisect_left(b, v) for v in range(9)], bisect.bisect_right(b, 3, 0, 2))
bisect.insort(b, 4)
bisect.insort_left(b, 3.0)
print(b, bisect.bisect_left(["a", "bb", "ccc"], 2, key=len))
words = ["kiwi", "apple"]
bisect.insort(words, "fig", key=lambda w: -len(w))
print(words)

s = io.StringIO()
print("one", 2, file=s)
print(s.write("dréi\nfour"), s.tell(), repr(s.getvalue()))
print(s.seek(0), repr(s.readline()), repr(s.read(2)), repr(s.read()), repr(s.read()), s.readlines())
s.seek(4)
s.write("XX")
print(repr(s.getvalue()), s.tell(), s.truncate(3), repr(s.getvalue()), s.seek(0, 2))
s.seek(5)
s.write("!")
print(repr(s.getvalue()), [line for line in io.StringIO("a\nb\n\nc")], next(io.StringIO("x\ny")), io.StringIO("abc").read(-1))
with io.StringIO("init") as t:
    t.write("I")
    print(t.getvalue(), t.closed)
print(t.closed)
try:
    t.read()
except ValueError as e:
    print(e)
try:
    s.write(3)
except TypeError as e:
    print(e)
try:
    io.StringIO(3)
except TypeError as e:
    print(e)
with contextlib.redirect_stdout(io.StringIO()) as out:
    print("hidden", end="")
print(repr(out.getvalue()))
