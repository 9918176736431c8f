# How a C compiler may end, and what it may leave: a second try where less of it may do, else what is
# wrong with it; never a damaged object in the cache, nor what it started.
cd "$TMP" || exit 1
export MOONTILE_CACHE_DIR="$TMP/cache"
cat >one.lua <<'END'
local f = tl.jit(function(A)
  A: T.Tensor({4}, "float32")
  for bx in T.Kernel(1) do
    for i in T.Parallel(4) do A[i] = A[i] + 1 end
  end
end)
local a = tl.zeros({4}, "float32")
f(a)
print(a)
END
compiler() { # its name, what it does: `plain` is set where it has fewer options, `out` is its file
    cat >"$1" <<END
#!/bin/sh
case " \$* " in *" -O1 "*) plain=1;; esac
for a; do [ "\$b" = -o ] && out=\$a; b=\$a; done
$2
END
    chmod +x "$1"
}
run() { # a title, the same
    compiler cc-ends "$2"
    rm -rf cache
    echo "--- $1"
    CC="$TMP/cc-ends" "$MOONTILE" -t cpu one.lua 2>&1 | sed "s|$TMP|TMP|g"
}
second='[ "$plain" ] && exec gcc "$@"; cat >/dev/null;'
run "a fault, by a signal" "$second kill -FPE \$\$"
run "a fault below a shell" "$second exit 139"
run "killed below a shell" "$second exit 137"
run "clang's fault" "$second echo 'clang: error: clang frontend command failed due to signal' >&2; exit 254"
run "no memory, behind megabytes" "$second head -c 3000000 /dev/zero >&2; echo; echo 'out of memory allocating 8 bytes' >&2; exit 1"
run "a fault both times" "cat >/dev/null; echo 'x.c: In function f:' >&2; echo 'x.c:3: internal compiler error: in foo, at bar.cc:17' >&2; exit 4"
run "a signal both times" "cat >/dev/null; kill -SEGV \$\$"
run "no file" "cat >/dev/null"
run "an empty file" "cat >/dev/null; : >\$out"
run "a part of a file" "gcc \"\$@\"; truncate -s 5000 \$out"
run "another file" "cat >/dev/null; seq 2000 >\$out"
run "no file the second time" "cat >/dev/null; [ \"\$plain\" ] || kill -SEGV \$\$"
ls cache | grep -c so
echo "--- what it had started"
run "killed" "[ \"\$plain\" ] && exec gcc \"\$@\"; sleep 4327 & sleep 4328 & kill -KILL \$\$"
ps -e -o args 2>/dev/null | grep '[s]leep 432[78]'
echo "--- a name with spaces"
compiler "cc with spaces" 'exec gcc "$@"'
rm -rf cache
CC="$TMP/cc with spaces" "$MOONTILE" -t cpu one.lua 2>&1 | sed "s|$TMP|TMP|g"
