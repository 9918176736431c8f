"""examples.py EXAMPLES ROWS: a copy of the examples of a checkout with a driver for each row, and rows.json."""
import ast, glob, json, os, re, shutil, sys
src, to = sys.argv[1:3]
here = os.path.dirname(os.path.abspath(__file__))
rows, seen, several = [], set(), {}
for f in sorted(glob.glob(src + "/**/regression_*.py", recursive=True)):
    for n in ast.parse(open(f).read()).body:
        if isinstance(n, ast.FunctionDef):
            for c in ast.walk(n):
                if isinstance(c, ast.Call) and ast.unparse(c.func) == "tilelang.testing.process_func":
                    d = os.path.relpath(os.path.dirname(f), src)
                    m = c.args[0].value.id
                    rows.append([n.name[len("regression_"):], d, m, ", ".join(ast.unparse(k) for k in c.keywords)])
                    seen.add(os.path.join(src, d, m + ".py"))
main = len(rows)
for f in sorted(glob.glob(src + "/**/*.py", recursive=True)):
    if "def run_regression_perf" in open(f).read() and f not in seen:
        d, m = os.path.relpath(os.path.dirname(f), src), os.path.basename(f)[:-3]
        kw = ""
        if m.endswith("_paged"):
            kw = ("argparse.Namespace(batch=8, heads=32, heads_kv=8, max_cache_seqlen=8192, dim=128, dim_v=128, "
                  "sparse_ratio=0.0, block_N=64, page_block_size=256, num_pages=1024)")
        rows.append([m, d, m, kw])
out = []
for i, (name, d, m, kw) in enumerate(rows):
    t = os.path.join(to, d)
    if not os.path.isdir(t):
        shutil.copytree(os.path.join(src, d), t, ignore=lambda p, ns: [
            n for n in ns if os.path.isfile(os.path.join(p, n)) and not n.endswith((".py", ".cu", ".cpp", ".h"))])
        shutil.copy(here + "/pb.py", t)
    f = os.path.join(t, m + ".py")
    s = open(f).read()
    if "_pb" not in s:
        at = s.index("def run_regression_perf")
        head, body = s[:at], s[at:]
        end = re.search(r"^(if __name__|def (?!run_regression_perf)|class )", body, re.M)
        cut = end.start() if end else len(body)
        body, tail = body[:cut], body[cut:]
        body, n = re.subn(r"(?<![\w.])((?:\w+\.)?)do_bench\(", lambda k: "_pb(%s, %sdo_bench, " % (k[1][:-1] or None, k[1]), body)
        assert n, f
        several[f] = n > 1
        s = head + "from pb import bench as _pb\n\n\n" + body + tail
        if d == "attention_sink" and "bwd" in m:  # an index beyond the buffer, which moontile refuses: mended on both sides
            assert s.count("sinks = T.alloc_fragment([heads], dtype)") == 1, f
            s = s.replace("sinks = T.alloc_fragment([heads], dtype)", "sinks = T.alloc_fragment([block_M], dtype)")
        ast.parse(s)
        open(f, "w").write(s)
    drv = "_r_%s.py" % name
    with open(os.path.join(t, drv), "w") as o:
        call = "%s.run_regression_perf(%s)" % (m, kw)
        dry = "import pb\n\npb.state['dry'] = True\n%s\npb.state['dry'] = False" % call if several[f] else ""
        o.write("import argparse\nimport %s\n%s\nprint('PB_RESULT', %s)\n" % (m, dry, call))
    out.append({"name": name, "dir": d, "driver": drv, "extra": i >= main})
json.dump(out, open(to + "/rows.json", "w"), indent=0)
print(main, len(rows))
# fla, which the linear attention files import, is on neither side: its l2norm_fwd in torch
s = os.path.join(to, "linear_attention", "fla")
for p, text in (("", ""), ("ops", ""), ("ops/linear_attn.py", "def fused_chunk_linear_attn(*a, **k):\n    raise NotImplementedError\n"),
                ("modules", ""), ("modules/l2norm.py", "import torch\n\n\ndef l2norm_fwd(x, eps=1e-6):\n"
                 "    r = torch.rsqrt((x.float() * x.float()).sum(-1, keepdim=True) + eps)\n    return (x.float() * r).to(x.dtype), r\n")):
    q = os.path.join(s, p) if p else s
    if not q.endswith(".py"):
        os.makedirs(q, exist_ok=True)
        q += "/__init__.py"
    open(q, "w").write(text)
