# The list of the watch mode: moving, filters, search, reset, going on somewhere else; low and
# narrow terminals, and one that changes its size.
. ../../program/lib/terminal.sh
small=$PWD/lib/small
cd "$TMP" || exit 1
"$MOONTILE" puzzles init moon --from "$small" >init.txt || exit 1
cd moon || exit 1
cp "$small/02-scale/solution.lua" 02-scale.lua
"$MOONTILE" puzzles run scale >run.txt || cat run.txt
sed -i 's/^current .*/current copy/' .moontile-puzzles
WIDTH=100 HEIGHT=20 start puzzles
wait_for 'Three small'
keys l; wait_for 'Enter go on'; part 'the list'
keys G; wait_for '*    pending         03'; keys k; wait_for '*    done'; keys g; wait_for '* >  pending'
keys Down j Up; wait_for '*    done'
keys d; wait_gone '01 copy'; part 'what is done'
keys p; wait_for '01 copy'; wait_gone '02 scale'; part 'what is not'
keys p; wait_for '02 scale'
keys /; keys 'SUM'; wait_for '/SUM'; wait_gone '01 copy'; keys Enter; wait_for '[/SUM]'; part 'found'
keys /; keys 'nothing like it'; wait_for 'nothing here'; keys Escape; wait_for '01 copy'
keys g j r; wait_for '02-scale.lua back?'; keys n; wait_gone 'back?'
cmp 02-scale.lua "$small/02-scale/solution.lua"
keys r; wait_for 'back?'; keys y; wait_gone 'back?'
cmp 02-scale.lua "$small/02-scale/starter.lua"
keys j Enter; wait_for 'B[i] = 2 A[i] + 1'
keys l; wait_for '* >  pending    '; keys q; wait_for 'Line 1'
part 'gone on with the third'
in_tmux resize-window -x 44 -y 12; wait_gone 'Line 5'; part 'small'
keys l; wait_for '* >'; part 'small list'; keys Escape; wait_for 'Line 1'
in_tmux resize-window -x 20 -y 6; wait_for '1/3'; part 'tiny'
in_tmux resize-window -x 100 -y 20; wait_for 'q quit'
keys l; wait_for 'Enter go on'; cp "$small/02-scale/solution.lua" 02-scale.lua; wait_for 'right.' # a save closes the list
keys q; wait_for icanon
