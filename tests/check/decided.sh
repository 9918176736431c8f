# What values that are known only when the kernel runs do not matter for is decided; the rest is not.
for f in rotation counted never; do
    echo "== $f"
    "$MOONTILE" --lang en -t cpu lib/open/$f.lua 2>&1 | grep -E "^==|E[0-9]+\]|^ *[0-9]+ \|"
done
