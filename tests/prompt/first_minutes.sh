#!/bin/sh
# The first ten minutes of someone who has never written a kernel, in a terminal, as a
# story: what stands on the screen after each step.  In English, then in Chinese.
. ../program/lib/terminal.sh
only readline
export MOONTILE_CACHE_DIR="$TMP"

# Until the last line is the prompt N and nothing else.
prompt() {
    n=0
    until [ "$(screen | tail -n 1)" = "$1>" ]; do
        n=$((n + 1))
        [ $n -lt 2400 ] || { echo "no prompt $1>"; screen; exit 1; }
        sleep 0.05
    done
}

# line TEXT N: types a line, and waits for the prompt N behind what it brings.
line() {
    keys "$1" Enter
    wait_for "> $1"
    prompt "$2"
}

# asked TEXT SEEN: the same where a grey suggestion follows the prompt.
asked() {
    keys "$1" Enter
    wait_for "$2"
}

# told HEADING GONE: shows what has come since the last part, and clears the screen,
# on which GONE stands.
told() {
    part "$1"
    keys C-l
    wait_gone "$2"
}

# What the tour calls its step N.
step() {
    if [ "$LANGUAGE_HERE" = zh ]; then echo "第 $1 步"; else echo "Step $1"; fi
}

# typed N TEXT: a line of a block, which stands on line N of the screen before Enter follows:
# lines that come faster are taken as they are, without indentation.
typed() {
    keys "$2"
    n=0
    until screen | sed -n "$1p" | grep -qF -e "$2"; do
        n=$((n + 1))
        [ $n -lt 2400 ] || { echo "not on line $1: $2"; screen; exit 1; }
        sleep 0.05
    done
    keys Enter
}

# A block, typed line by line; the prompt indents.
half() {
    at=$(screen | wc -l)
    while read -r text; do
        typed "$at" "$text"
        at=$((at + 1))
    done <<'END'
half = tl.jit(function(A)
local N = T.const "N"
A: T.Tensor({N}, T.float32)
local B = T.empty({N}, T.float32)
for bx in T.Kernel(T.ceildiv(N, 64)) do
for i in T.Parallel(64) do
B[bx * 64 + i // 2] = A[bx * 64 + i] / 2
end
end
return B
end)
END
}

story() {
    LANGUAGE_HERE=$1
    start -t cpu --lang "$1"
    prompt 1
    part 'what greets'
    asked ':tour' '1> tl.randn({6, 6})'
    told 'a tour begins, its first input in grey' "$(step 1)"
    keys Right Enter
    wait_for '2> double'
    told 'the grey input taken: Right, Enter' "$(step 2)"
    asked ':tour go' '3> double(tl'
    told 'the kernel typed by the tour' "$(step 3)"
    asked 'double(tl.arange(10, "float32"))' '4> double'
    asked 'double(tl.arange(10, "int32"))' '5> ?T'
    told 'run, and a mistake' "$(step 5)"
    asked '?T.Parallel' '5> :load'
    line ':tour stop' 5
    told 'what a name is, and the end of the tour' 'T.Parallel'
    line 'T.gem' 6
    line ':plto double' 6
    line 'tl.rnadn({4})' 7
    told 'misspelled' 'rnadn'
    half
    prompt 8
    line 'half(tl.ones({4}))' 9
    told 'a kernel by hand, with a mistake in it' 'E512'
    keys Up Up
    wait_for 'end)'
    keys Down Down Down Down Down Down Home M-f M-f M-f M-f
    keys C-d C-d C-d C-d C-d
    wait_gone '//'
    keys Enter
    prompt 10
    line 'half(tl.ones({4}))' 11
    line '_ + _10[0]' 12
    told 'the block recalled, corrected in its middle, and run; results have names' '_10'
    line 'plot(tl.layout.swizzle{rows = 4, bytes = 64, mode = 64})' 13
    told 'a picture' 'swizzle'
    keys 'T.alloc_f' Tab '('
    wait_for '«'
    part 'Tab, and what the call takes'
    keys C-u
    wait_gone '«'
    paste '1> twice = tl.jit(function(A)\n >   local N = T.const "N"\n >   A: T.Tensor({N}, T.float32)\n >   local B = T.empty({N}, T.float32)\n >   for bx in T.Kernel(T.ceildiv(N, 64)) do\n >     for i in T.Parallel(64) do\n >       B[bx * 64 + i] = A[bx * 64 + i] * 2\n >     end\n >   end\n >   return B\n > end)\n2> twice(tl.arange(10, "float32"))\n[ 0.  2.]\n'
    prompt 15
    told 'a transcript pasted, prompts and all' 'twice'
    line ':layout double' 15
    line ':owner A 3' 15
    line ':explain' 15
    line ':vars' 15
    told 'questions about it' 'twice'
    keys C-d
    wait_for icanon
    part 'left'
    stop
}

HEIGHT=60 WIDTH=80
echo '=== English'
story en
echo '=== Chinese'
story zh
