# The history file: long ones are cut, entries of several lines stay one.
. lib/terminal.sh
file=$HOME/.local/state/moontile/history
mkdir -p "${file%/*}"
seq 1 10007 >"$file"
printf '%s\n' 'if true then\n  print("back\\\\slash")\nend' >>"$file"
start
wait_for '1>'
wc -l <"$file"
head -n 1 "$file"
stat -c %a "$file"
keys Up; wait_for 'slash'
keys Enter; wait_for '2>'
keys '1' Enter; wait_for '3>'
keys '1' Enter; wait_for '4>'
keys C-d; wait_for icanon
screen | sed 's/^ > //'
tail -n 3 "$file"
