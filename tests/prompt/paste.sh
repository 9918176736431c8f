# Pasting: blocks run as one input, transcripts lose their prompts and their
# output, what is not complete stays to be edited.
. ../program/lib/terminal.sh
only readline
HEIGHT=50
start
wait_for '1>'
paste '3> x = 10\n4> x + 1\n11\n5> for i = 1, 2 do\n >   print(i)\n > end\n1\n2\n6> x * 2'; wait_for '4> x * 2'
keys Enter; wait_for '5>'
paste 'local a = 1\nlocal b = 2\nprint(a + b)\n'; wait_for '6>'
paste 'a + b\n:lang en\n_ + 1\nfor i = 1, 2 do\n'; wait_for 'for >'; keys '  print(-i)' Enter; wait_for '-i)'
keys 'end' Enter; wait_for '9>'
part "inputs one after another"
paste 'one line'; wait_for '9> one line'; keys C-c; wait_for 'line^C'
paste 'x = (\n)\n)\ny\n'; wait_for '> y'; keys C-c; wait_for 'y^C'
keys 'print()' Left; paste '>>> 1 +\n... 2\n'; wait_for '> 2)'; keys Enter; wait_for '10>'
paste '> y = 5\n> y\n5\n'; wait_for '12>'
paste '    1> error "wrong"\n    wrong\n    2> y\n    5\n'; wait_for '14>'
paste 'tab\there \033[1mand\nmore\n(\n'; wait_for '> ('
part "what stays, what is between other text, other prompts"
keys C-c; wait_for '> (^C'
paste 'print("be" .. "gun") while true do end\nprint "not run"\n'; wait_for 'begun'; sleep 0.3; keys C-c; wait_for '15>'
paste '1> print("on" .. "ce") while true do end\n2> print "not run"\n'; wait_for 'once'; sleep 0.3; keys C-c; wait_for '16>'
keys C-d; wait_for icanon
part "Ctrl-C stops the rest of a paste"
