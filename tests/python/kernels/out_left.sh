# An output that nothing writes beside one that is written, as in one of TileLang's examples: a warning where it is compiled; what runs it
# where outputs are looked at says that it was never written.
for lang in en zh; do
    "$MOONTILE" --lang $lang check lib/out_left.py 2>&1
    echo "exit status $?"
done
