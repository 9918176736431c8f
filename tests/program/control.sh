# A text that moves the cursor or changes titles (ESC, BEL, C1, bytes that are no UTF-8) in
# comments, strings and names of files comes to no terminal: not from messages, listings,
# explanations, prints of kernels, nor the prompt.
M=$MOONTILE
evil=$(printf '\033[31mEVIL\007\177\302\233\233')
LC_ALL=C sed "s/EVIL/$evil/" >"$TMP/k.lua" <<'X'
k = tl.jit(function(A) -- EVIL
  local N = T.const "N" -- EVIL
  A: T.Tensor({N}, T.float32) -- EVIL
  local B = T.empty({N}, T.float32) --[[EVIL]]
  for bx in T.Kernel(T.ceildiv(N, 64), {threads = 64}) do -- EVIL
    local s = T.alloc_shared({64}, T.float32) --[[EVIL]]
    T.copy(A[bx * 64], s) -- EVIL
    for i in T.Parallel(64) do -- EVIL
      s[i] = s[i] * 2 + ("EVIL" and 1) -- EVIL
    end -- EVIL
    T.print(s, "EVIL") -- EVIL
    T.copy(s, B[bx * 64]) -- EVIL
  end
  return B --EVIL
end) -- EVIL
X
cd "$TMP" || exit
cp k.lua "k$evil.lua"
echo 'k(tl.arange(64, "float32"))' >>"k$evil.lua"
{ cat k.lua; echo "k(3) -- $evil"; } >wrong.lua
{ cat k.lua; echo "tl.zeros({2}, \"$evil\")"; } >dtype.lua
{ cat k.lua; echo "error(\"$evil\")"; } >raised.lua
{ cat k.lua; echo "local x = = 3 -- $evil"; } >syntax.lua
readable="$OLDPWD/lib/readable.lua"
pattern=$(printf '%s' "$evil" | LC_ALL=C sed 's/\[/\\[/')
see() { # see COMMAND ..: what it says
    printf '%s: ' "$(printf '%s' "$*" | LC_ALL=C sed "s/$pattern//g")"
    "$M" "$@" </dev/null 2>&1 | "$M" "$readable"
}
for f in "k$evil.lua" wrong.lua dtype.lua raised.lua syntax.lua; do
    see "$f"
    see --lang zh -t sim "$f"
done
see explain "k$evil.lua"
see check "k$evil.lua"
see --ir-check "k$evil.lua"
for c in check explain bench plot "compile --emit c -o out"; do
    # shellcheck disable=SC2086
    see $c "k$evil.lua" --json
done
see -t "si$evil" -e 'print(1)'
see -t "sim -arch=$evil" -e 'print(1)'
see "nothing$evil.lua"
for kind in c ir thread cuda; do see compile "k$evil.lua" --emit $kind; done
# What was written, and where
mkdir "d$evil"
see doctor cpu --report "d$evil/r.txt"
see plot "k$evil.lua" --svg "d$evil/x.svg"
see serve token ann --token-file "d$evil/tokens"
see puzzles init "d$evil/n"
see puzzles init "d$evil/n"
see --lang zh doctor cpu --report "d$evil/r.txt"
see --colour always wrong.lua | sed 's/^[^ ]*//' | tail -n 1 | grep -c readable
printf '%s\n' ":save d$evil/s.lua" ":load d$evil/s.lua" ":watch d$evil/s.lua" ':watch' ':watch off' ":set editor $evil" \
    ':set' ':set editor vi' ':load k.lua' 'k2 = k:compile{N = 64}' 'k?' '??k' ':src k' ':explain k' 'k2:show_source()' \
    'k2:ir()' ':check k' ':vars' "{[\"$evil\"] = 1}" "error(\"$evil\")" "x$evil = 1" \
    ":lo$evil" ":load $evil" "tl.zeros({2}, \"$evil\")" "T.$evil" >input
printf 'prompt: '
"$M" -i <input 2>&1 | "$M" "$readable"
