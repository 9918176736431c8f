# Layouts of many elements from their function alone: the same as by asking for every element.
import tilelang.language as T

functions = {
    "rows": lambda i, j, k: [i, j, k],
    "turned": lambda i, j, k: [k, i, j],
    "tiles": lambda i, j, k: [i, j // 8, k // 8, k % 2, 4 * (j % 8) + k % 8 // 2],
    "flat": lambda i, j, k: [(i * 32 + j) * 64 + k],
    "cut": lambda i, j, k: [(i * 2048 + j * 64 + k) // 512, (j * 64 + k) % 512],
    "both": lambda i, j, k: [j % 4 + 4 * (k // 16), i, k % 16 + j // 4 * 16],
    "shifts": lambda i, j, k: [i, j >> 2, k >> 3, (j & 3) << 3 | 0, k & 7],
    "xor": lambda i, j, k: [i, j, k ^ (j % 8 * 8)],
    "asks": lambda i, j, k: [i, j, k] if j < 16 else [i, j, k],
    "equals": lambda i, j, k: [i, j, 63 - k if i == 1 else k],
    "truth": lambda i, j, k: [i, j ^ 1 if i else j, k],
    "table": lambda i, j, k: [{0: 1, 1: 2, 2: 3, 3: 0}.get(i, 7), j, k],
    "uneven": lambda i, j, k: [i, (j * 64 + k) // 24, (j * 64 + k) % 24],
    "sum": lambda i, j, k: [i, j, k + k // 32 * 8],
    "lost": lambda i, j, k: [i, j, k // 2],
    "twice": lambda i, j, k: [i, j + k],
    "negative": lambda i, j, k: [i, j, 63 - k],
    "from one": lambda i, j, k: [i, j, k + 1],
    "half": lambda i, j, k: [i, j, k / 2],
    "text": lambda i, j, k: [i, j, int(str(k))],
    "names": lambda *index: index[::-1],
}
for name, f in functions.items():
    for shape in [4, 32, 64], [3, 30, 66]:
        layout = T.Layout(shape, f)
        try:
            print(name, shape, layout.get_output_shape(), layout.text())
        except Exception as e:
            print(name, shape, type(e).__name__, str(e).splitlines()[0])
