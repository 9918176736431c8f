# Python at a terminal: the language in the prompt, indentation, blocks from the history, Ctrl-C, pastes, Tab, colours.
. ../program/lib/terminal.sh
only readline
HEIGHT=60
start -t cpu --lang en
wait_for '1>'
keys 'def f(a, b=2):' Enter; wait_for 'def >'; keys 'if a:' Enter; wait_for 'def if >'; keys 'return b' Enter
wait_lines 2 'def if >'; keys 'else:'; wait_for 'else:'; keys Enter; wait_lines 2 'def else >'; keys 'x = (a,' Enter
wait_for '( >'; keys 'b)' Enter; wait_lines 3 'def else >'; keys 'return x[0]'; wait_for 'x[0]'
part "indented"
keys Enter; wait_lines 4 'def else >'; keys Enter; wait_for 'py 2>'
keys 'f(5), f(0)' Enter; wait_for '(2, 0)'
part "an empty line ends it; the prompt says Python"
keys Up Up; wait_for 'py 3> def f'; keys Enter; wait_for 'py 4>'
keys 'for i in range(3):' Enter; wait_for 'for >'; keys 'print(' Enter; wait_for 'for ( >'; keys C-c; wait_for '^C'
keys 'if f(1):' Enter; wait_for 'if >'; keys BSpace; keys 'x' Enter; wait_for 'expected an indented'
part "from the history; Ctrl-C in a block; a mistake"
stop
start -t cpu --lang en
wait_for '1>'
keys 'def f():' Enter; wait_for 'def >'; keys '# nothing' Enter; wait_lines 2 'def >'; keys Enter; wait_for 'py 2>'
keys '@staticmethod' Enter; wait_for ' >'; keys 'def g(): return 1' Enter; wait_for 'return 1'; keys Enter; wait_for 'py 3>'
part "an empty line ends a block without statements"
stop
start -t cpu --lang en
wait_for '1>'
paste 'import tilelang\nimport tilelang.language as T\n\n# a comment\n@tilelang.jit\ndef add(A):\n    N = T.const("N")\n    A: T.Tensor((N,), "float32")\n\n    B = T.empty((N,), "float32")\n    with T.Kernel(T.ceildiv(N, 64), threads=64) as bx:\n        for i in T.Parallel(64):\n            B[bx * 64 + i] = A[bx * 64 + i] + 1\n\n    return B\n\n\nadd(tl.ones((3,)))\n'
wait_for 'py 2>'
part "a file as one input"
paste '>>> def g():\n...     return 1\n...\n>>> g()\n1\n'; wait_for 'py 4>'
paste 'py 7> x = [1,\n    > 2]\npy 8> x\n[1, 2]\n'; wait_for 'py 6>'
paste 'def h():\n    y = 2\n\n    return y\n:lua\nlocal z = h()\nz\n'; wait_for '9>'
part "transcripts, commands between"
keys ':python' Enter; wait_for 'py 9>'
keys 'T.gem' Tab; wait_for 'T.gemm'; keys '(' ; wait_for 'transpose_A'; keys C-c; wait_for '(^C'
keys 'x = "a" if not None else T.max(1, 2) # no'; wait_for '# no'
screen -e | grep 'not'
