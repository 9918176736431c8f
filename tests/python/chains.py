# ChainMap, the signs and differences of Counter, math.remainder.
import collections
cm = collections.ChainMap({"a": 1}, {"a": 2, "b": 3}); print(cm["a"], cm["b"])
for f in (lambda: dict(cm), lambda: list(cm), lambda: len(cm), lambda: "b" in cm, lambda: cm.get("z", 5), lambda: sorted(cm.items()), lambda: list(cm.keys()), lambda: cm.maps, lambda: cm):
    try: print(f())
    except Exception as e: print(type(e).__name__, e)
od = collections.OrderedDict(a=1, b=2); od.move_to_end("a"); print(od, list(od))
import math
print([math.remainder(a, b) for a in (7.0, -7.0, 5.0, 2.5, -2.5, 3.5, 0.0, -0.0, 1e10) for b in (2.0, 4.0, -3.0, 1.0)])
c = collections.Counter(a=2, b=-1, c=0); print(+c, -c, collections.ChainMap(), collections.ChainMap({"a": 1}).new_child({"b": 2}))
print(collections.Counter(a=1) - collections.Counter(a=3, b=-2), collections.Counter(a=1) & collections.Counter(a=3), collections.Counter(a=1) | collections.Counter(b=3))
