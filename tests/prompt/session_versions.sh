# Versions of kernels: what counts as one, how they differ, going back, k@n.
hide_times() { sed -e 's/[0-9][0-9]:[0-9][0-9]:[0-9][0-9]/HH:MM:SS/'; }
fill() { # NAME VALUE [LOCAL]
    printf '%s%s = tl.jit(function(A)\n  A: T.Tensor({16}, T.float32)\n' "${3:+local }" "$1"
    printf '  for bx in T.Kernel(1) do\n    T.fill(A, %s)\n  end\nend)\n' "$2"
}
{
    echo ':versions'
    fill k 1 local
    printf 'local x = tl.zeros({16}); local function run() k(x) return x[0] end\nrun()\n'
    fill k 2                              # another text: a version; run() uses it
    echo 'run()'
    fill k 2                              # the same text: none
    printf ':versions k\n:diff k\n:diff k@1\n:diff k@2 k@1\n:diff k@1 k@1\n'
    printf 'k(x)\n:ir k@1\n:revert k@1\nrun()\n:versions\n:versions k@2\n'
    fill k 3
    printf ':diff k\n:diff k@7\n:diff kk\n:diff\n:diff k@1 k@2 k@3\n:revert k\n:revert k@9\n'
    # kernels of one text: their programs differ
    cat <<'X'
local function make(n)
  return T.prim_func(function(A)
    A: T.Tensor({n}, T.float32)
    for bx in T.Kernel(1) do T.fill(A, n) end
  end)
end
c = tl.compile(make(16))
c = tl.compile(make(32))
:versions c
:diff c
c = 5
c = tl.compile(make(32))
:versions c
k = nil
run()
local bad = k
:set lang zh
:versions k
:diff k@1 k@3
:revert k@9
:diff c@9
X
} | "$MOONTILE" --lang en -i 2>&1 | hide_times
