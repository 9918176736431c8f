# Generated kernels that bind a few names again and again: what TileLang 0.1.15's parser made of them is what is expected
# (lib/names.py compares, where there is one).
. ../lib/cpython.sh
python3 ../lib/names.py "$MOONTILE" 5 60 cpu
