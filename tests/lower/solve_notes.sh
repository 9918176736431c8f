# The rows of lowering.md 2.6 and their like: which way the solver took and why,
# or in which words it refuses.
for f in diag serial slice shift wide odd229 odd192 odd3 fillonly extents transpose digits threed \
    owner stats policy fp8 accs half tgemm annot annotfar condfrag scan dropped misfit; do
    echo "$f:"
    "$MOONTILE" --ir-lower sm_89:layouts --ir-check "lib/solve/$f.ir" 2>&1 >/dev/null |
        sed 's/^/  /'
done
echo halves:
"$MOONTILE" --ir-lower sm_89:parallel --ir-check lib/solve/halves.ir 2>&1 >/dev/null | sed 's/^/  /'
