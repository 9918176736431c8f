# Files whose kernels are written, not run: large references are not computed, and who asks for a value is told.
"$MOONTILE" --lang en compile --emit cuda -o "$TMP" lib/unseen.py 2>&1 | sed "s|$TMP/||"
"$MOONTILE" --lang zh compile --emit cuda -o "$TMP" lib/unseen.py 2>&1 | tail -4 | sed "s|$TMP/||"
