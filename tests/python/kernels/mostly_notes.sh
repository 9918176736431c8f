# What is said where elements differ within the ratio.
"$MOONTILE" --lang en -t cpu mostly.py 2>&1 >/dev/null | head -6
"$MOONTILE" --lang zh -t cpu mostly.py 2>&1 >/dev/null | head -3
