"""run.py ROWS OUT MOONTILE SECONDS_TILELANG SECONDS_TOTAL: all rows under TileLang and under moontile; see README.md.

Every process compiles at its own time, several at once, and waits with its kernel ready (pb.py); in rounds, while
all others stand still (SIGSTOP), the ready ones are let go one at a time: a row's TileLang, then its moontile."""
import json, math, os, re, shutil, signal, subprocess, sys, time

T0 = time.time()
EX, OUT, PROGRAM = (os.path.abspath(p) for p in sys.argv[1:4])
T_TL, T_ALL = float(sys.argv[4]), float(sys.argv[5])
HERE = os.path.dirname(os.path.abspath(__file__))
WORK = OUT + "/work"
FAKE = os.environ.get("PB_FAKE_T")  # a trial without a GPU: moontile stands in for TileLang
MT = [PROGRAM] + os.environ.get("PB_MT_ARGS", "-t cuda").split()
SLOTS = {"T": int(os.environ.get("PB_T", 12)), "M": int(os.environ.get("PB_M", 4))}
PARKED, LIMIT, MREADY = 30, float(os.environ.get("PB_LIMIT", 25)), 150
shutil.rmtree(WORK, ignore_errors=True)
os.makedirs(OUT, exist_ok=True)
rows = json.load(open(EX + "/rows.json"))
only = os.environ.get("PB_ONLY")
rows = [r for r in rows if not only or re.search(only, r["name"])]


def now():
    return time.time() - T0


def say(*a):
    print("%6.1f" % now(), *a, flush=True)


def members(sid):
    """The processes of a session."""
    r = []
    for p in os.listdir("/proc"):
        if p.isdigit():
            try:
                f = open("/proc/%s/stat" % p).read().rsplit(")", 1)[1].split()
                if int(f[3]) == sid:
                    r.append(int(p))
            except OSError:
                pass
    return r


def send(sid, sig):
    for p in members(sid):
        try:
            os.kill(p, sig)
        except OSError:
            pass


class Job:
    def __init__(self, row, side):
        self.row, self.side, self.state = row, side, "pending"
        self.dir = "%s/%s_%s" % (WORK, side, row["name"])
        self.log, self.why, self.ms, self.rc = self.dir + "/log", "", None, None
        os.makedirs(self.dir)

    def env(self):
        e = dict(os.environ, PB_DIR=self.dir, PB_SIDE=self.side)
        if self.side == "M" or FAKE:
            e.update(OMP_NUM_THREADS="4", MOONTILE_CACHE_DIR=OUT + "/cache",
                     MOONTILE_TIME_LIMIT="120", NO_COLOR="1", MOONTILE_LANG="en")
        return e

    def start(self):
        driver = "%s/%s/%s" % (EX, self.row["dir"], self.row["driver"])
        self.since, self.state = now(), "running"
        if self.side == "T" and not FAKE and fork_works:
            sys.stdout.flush()
            self.pid = os.fork()
            if self.pid == 0:
                rc = 1
                try:
                    os.setsid()
                    fd = os.open(self.log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
                    os.dup2(fd, 1), os.dup2(fd, 2)
                    os.environ.update(self.env())
                    theirs.run(driver)
                    rc = 0
                except SystemExit as e:
                    rc = int(e.code or 0) if not isinstance(e.code, str) else 1
                except BaseException:
                    import traceback
                    traceback.print_exc()
                sys.stdout.flush(), sys.stderr.flush()
                os._exit(rc)
            self.popen = None
            return
        m = self.side == "M" or FAKE
        cmd = MT + [driver] if m else [sys.executable, HERE + "/theirs.py", driver]
        self.popen = subprocess.Popen(cmd, cwd=os.path.dirname(driver), env=self.env(), stdin=subprocess.DEVNULL,
                                      stdout=open(self.log, "w"), stderr=subprocess.STDOUT, start_new_session=True)
        self.pid = self.popen.pid

    def over(self):
        if self.rc is None:
            if self.popen:
                self.rc = self.popen.poll()
            else:
                p, st = os.waitpid(self.pid, os.WNOHANG)
                self.rc = os.waitstatus_to_exitcode(st) if p else None
        return self.rc is not None

    def look(self):
        """running -> ready or settled"""
        if self.state == "running":
            if self.over():
                self.settle("")
            elif os.path.exists(self.dir + "/ready"):
                self.state = "ready"
                self.took = now() - self.since

    def end(self, why):
        send(self.pid, signal.SIGKILL)
        for _ in range(100):
            if self.over():
                break
            time.sleep(0.02)
        self.settle(why)

    def settle(self, why):
        text = open(self.log, errors="replace").read()
        got = re.findall(r"^PB_MS (\S+) (\S+)", text, re.M)
        send(self.pid, signal.SIGKILL)  # what it may have left behind
        if not why and self.rc == 0 and got and "PB_RESULT" in text:
            self.ms = [sum(float(g[i]) for g in got) for i in (0, 1)]
            self.state = "done"
            return
        self.state = "failed"
        said = first_error(text, self.side)
        self.why = "; ".join(x for x in (why, "exit %s" % self.rc if not why else "", said) if x)
        with open(OUT + "/failed.txt", "a") as o:
            o.write("==== %s %s: %s\n%s\n" % (self.side, self.row["name"], self.why, text[-3000:]))

    def go(self):
        open(self.dir + "/go", "w").close()
        until = time.time() + min(LIMIT, max(1, T_ALL - now()))
        while not self.over():
            if time.time() > until:
                return self.end("not timed within its limit")
            time.sleep(0.01)
        self.settle("")


def first_error(text, side):
    lines = [x.strip() for x in text.splitlines() if x.strip() and not x.startswith("PB_")]
    if side == "T":
        hit = [x for x in text.splitlines() if re.match(r"[\w.]*(Error|Exception|Exit|Interrupt|Fault)\b", x)]
        hit = hit[-1:]
    else:
        hit = [x for x in lines if re.search(r"error(\[\w+\])?:|\w+Error\b|^fatal|Assertion", x)]
    return (hit or lines[-1:] or [""])[0][:300]


def table(final=False):
    pairs, out = [], []
    out.append("left: as do_bench(backend='event') says, median, the host's part included where it is slower than the card "
               "(moontile: the wall clock for functions that move data, else the card's time); right: the card's time alone")
    out.append("%-58s %9s %9s %6s  %9s %9s %6s" % ("row (ms; ratio: TileLang / ours)", "TL", "ours", "ratio", "TL dev", "ours dev", "ratio"))
    show = lambda j, i: "%9.4f" % j.ms[i] if j.ms else "%9s" % {"failed": "failed", "pending": "-", "running": "..", "ready": ".."}[j.state]
    for r in rows:
        t, m = jobs["T", r["name"]], jobs["M", r["name"]]
        if t.ms and m.ms:
            pairs.append((r, [t.ms[i] / m.ms[i] for i in (0, 1)]))
        rat = ["%6.2f" % (t.ms[i] / m.ms[i]) if t.ms and m.ms else "     -" for i in (0, 1)]
        out.append("%-58s %s %s %s  %s %s %s" % (r["name"] + (" (extra)" if r["extra"] else ""), show(t, 0), show(m, 0), rat[0],
                                                show(t, 1), show(m, 1), rat[1]))
    for what, keep in (("regression rows", lambda r: not r["extra"]), ("with the extra rows", lambda r: True)):
        ps = [p for r, p in pairs if keep(r)]
        if ps:
            g = [math.exp(sum(math.log(p[i]) for p in ps) / len(ps)) for i in (0, 1)]
            s = [sorted(p[i] for p in ps) for i in (0, 1)]
            out.append("geometric mean, %d %s: events %.3f (least %.2f, median %.2f, greatest %.2f; ours slower %d);  device %.3f (least %.2f, "
                       "median %.2f, greatest %.2f; ours slower %d)" % (len(ps), what, g[0], s[0][0], s[0][len(ps) // 2], s[0][-1],
                       sum(x < 1 for x in s[0]), g[1], s[1][0], s[1][len(ps) // 2], s[1][-1], sum(x < 1 for x in s[1])))
    for side, who in (("T", "TileLang"), ("M", "moontile")):
        bad = [j for j in jobs.values() if j.side == side and j.state == "failed"]
        out.append("%s: %d failed" % (who, len(bad)))
        out += ["  %s: %s" % (j.row["name"], j.why) for j in bad]
    text = "\n".join(out) + "\n"
    with open(OUT + "/table.txt.new", "w") as o:
        o.write(text)
    os.replace(OUT + "/table.txt.new", OUT + "/table.txt")
    if final:
        print(text, flush=True)


jobs = {(s, r["name"]): Job(r, s) for r in rows for s in "TM"}
table()
fork_works = False
of = lambda state, side="TM": [j for j in jobs.values() if j.state == state and j.side in side]


def launch():
    if T_ALL - now() < 15:
        return
    for side in "MT":
        if side == "T" and (not loaded or now() > T_TL):
            continue
        # rows that can give no ratio any more come last
        for j in sorted(of("pending", side), key=lambda j: (jobs["TM".replace(j.side, ""), j.row["name"]].state == "failed", j.row["extra"])):
            parked = of("ready")
            if len(of("running", side)) >= SLOTS[side] or len(parked) >= PARKED or side == "M" and len(of("ready", "M")) >= PARKED * 0.6:
                break
            j.start()


def complete():
    return [r for r in rows if any(jobs[s, r["name"]].state == "ready" for s in "TM")
            and all(jobs[s, r["name"]].state in ("ready", "done", "failed") for s in "TM")]


def look():
    for j in of("running"):
        j.look()
        if j.state == "running" and j.side == "M" and now() - j.since > MREADY:
            j.end("not ready after %d s" % MREADY)
        if j.side == "T" and j.state == "running" and now() > T_TL:
            j.end("not compiled when its time was over (%d s)" % (now() - j.since))
    if now() > T_TL:
        for j in of("pending", "T"):
            j.state, j.why = "failed", "no time"


def round_():
    until = time.time() + 6  # moontile's soon come to rest; what waits for a worker of its own is not stopped
    while of("running", "M") and time.time() < until and T_ALL - now() > 30:
        time.sleep(0.05)
        look()
    todo = complete()
    stopped = of("running")
    for j in stopped:
        send(j.pid, signal.SIGSTOP)
    time.sleep(0.2)
    say("round of", len(todo), "rows; standing still:", len(stopped))
    for r in todo:
        if now() > T_ALL - 1:
            break
        for s in "TM":
            if jobs[s, r["name"]].state == "ready":
                jobs[s, r["name"]].go()
        t, m = jobs["T", r["name"]], jobs["M", r["name"]]
        say(r["name"], t.ms and ["%.4f" % x for x in t.ms] or t.why[:100], m.ms and ["%.4f" % x for x in m.ms] or m.why[:100])
        table()
    for j in stopped:
        send(j.pid, signal.SIGCONT)
    return time.time()




def main():
    global loaded, fork_works, theirs
    loaded = bool(FAKE)
    launch()
    if not FAKE:
        os.environ["PYTORCH_NVML_BASED_CUDA_CHECK"] = "1"  # lest a fork find CUDA begun
        os.environ.setdefault("TILELANG_CACHE_DIR", OUT + "/tilelang-cache")
        os.environ["TILELANG_PRINT_ON_COMPILATION"] = "0"
        sys.path.insert(0, HERE)
        import warnings
        warnings.simplefilter("ignore")
        import theirs
        try:
            torch, tilelang = theirs.load()
            say("TileLang", getattr(tilelang, "__version__", "?"), tilelang.__file__, "torch", torch.__version__)
            loaded = True
        except BaseException as e:
            say("TileLang does not load:", repr(e)[:500])
            for j in of("pending", "T"):
                j.state, j.why = "failed", "TileLang does not load"
        if loaded:
            pid = os.fork()
            if pid == 0:
                rc = 1
                try:
                    os.setsid()
                    assert torch.zeros(4, device="cuda").sum().item() == 0
                    rc = 0
                except BaseException as e:
                    print("fork:", repr(e)[:300], flush=True)
                os._exit(rc)
            fork_works = os.waitpid(pid, 0)[1] == 0 or bool(os.environ.get("PB_FORK"))
            say("CUDA works in a fork:", fork_works)
    last = time.time()
    while of("pending") or of("running") or of("ready"):
        if now() > T_ALL - 1:
            break
        look()
        launch()
        ready, left = complete(), T_ALL - now()
        idle = not of("running")
        if ready and (idle or len(ready) >= 10 or time.time() - last > 45 or len(of("ready")) >= PARKED or left < 2 * len(ready) + 8):
            last = round_()
        elif idle and not of("pending") and not ready:
            break
        time.sleep(0.05)
    for j in of("running") + of("ready"):
        j.end("cut off at the end")
    for j in of("pending"):
        j.state, j.why = "failed", "no time"
    table(True)
    say("done")


def stop(*_):
    raise SystemExit("stopped")


signal.signal(signal.SIGTERM, stop)
try:
    main()
finally:
    for j in of("running") + of("ready"):
        send(j.pid, signal.SIGKILL)
os._exit(0)
