# Generated kernels of mixed types: what they compute has TVM's types.  More of them: tests/README.md.
. ../lib/cpython.sh
for seed in 4 21; do
    python3 ../lib/typed.py "$MOONTILE" $seed 8 cpu
done
