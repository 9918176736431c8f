# Every example has a test of its name, and says the same in Python.
for f in ../../lua/examples/*.lua; do
    name=$(basename "$f" .lua)
    [ "$name" = frame ] && continue
    [ -f "$name.sh" ] || echo "no test for $name"
    [ -f "${f%.lua}.py" ] || echo "$name is not there in Python"
done
