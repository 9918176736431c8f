# Files of a checkout that import its packages, from its top as from elsewhere, with a harness of their own.
cd lib/checkout || exit 1
"$MOONTILE" --lang en -t sim night/one.py
cd ..
"$MOONTILE" --lang en -t sim checkout/night/one.py 2>&1 | sed -n '1p'
PYTHONPATH=none:checkout "$MOONTILE" --lang en -t sim checkout/night/one.py 2>&1 | sed -n '1p'
cd checkout/night || exit 1
for lang in en zh; do
    "$MOONTILE" --lang $lang -t sim one.py 2>&1
    "$MOONTILE" --lang $lang -t sim "$PWD/one.py" 2>&1 | sed "s|$(cd ../../../../../.. && pwd)||g" | tail -1
done
