# Branches and loops.  Where Lua's truth is another, the condition says it.
n = 5
name = ""
items = [1]
if n > 3:
    print("large")
elif n == 3:
    print("three")
else:
    print("small")

if n:
    print("n is not zero")
if not name:
    print("no name")
if items and not n - 5:
    print("items, and n is five")

# Lua's `for` includes its bound
for i in range(3):
    print(i)
for i in range(2, n):
    print(i)
for i in range(10, 0, -3):
    print(i)
for i in range(0, n + 1, 2):
    print(i)

while n > 0:
    n -= 1
    if n == 3:
        continue
    # a comment in a block
    if n == 1:
        break
    print("n", n)

if n == 1:
    kind = "one"
else:
    kind = "other"
print(kind)
for repeat in range(2):
    until = repeat * 2
    print(until)
