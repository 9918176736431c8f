# Every example has a test of its name.
for f in ../../lua/examples/*.lua; do
    name=$(basename "$f" .lua)
    [ "$name" = frame ] || [ -f "$name.sh" ] || echo "no test for $name"
done
