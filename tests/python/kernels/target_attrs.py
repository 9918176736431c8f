import tvm
from tvm.target import Target
t = Target("cuda -arch=sm_90a")
def p(f):
    try: print(f())
    except Exception as e: print(type(e).__name__, e)
p(lambda: t.kind.name)
p(lambda: t.attrs)
p(lambda: t.attrs["arch"])
p(lambda: t.attrs.get("arch"))
p(lambda: t.arch)
p(lambda: Target.current())
p(lambda: Target.current(allow_none=True))
with t:
    p(lambda: Target.current())
    p(lambda: Target.current().arch)
p(lambda: Target.current(allow_none=False))
p(lambda: t.keys)
p(lambda: str(t))
