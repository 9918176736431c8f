# Processes that keep results of tuning at one moment, or are killed while they do: none is lost, nothing is left
# behind.  A store that cannot be read, or that a stopped process holds, stays as it is, and that is said.
export MOONTILE_CACHE_DIR="$TMP/cache"
for who in a b c d e f g h; do
  WHO=$who "$MOONTILE" --lang en lib/keep.lua &
done
wait
wc -l <"$TMP/cache/tuned/results.jsonl"
for who in i j k l m n; do
  WHO=$who "$MOONTILE" --lang en lib/keep.lua said >"$TMP/said.$who" 2>/dev/null &
  echo $!
done >"$TMP/pids"
sleep 0.2
xargs kill -KILL <"$TMP/pids" 2>/dev/null
wait
WHO=o "$MOONTILE" --lang en lib/keep.lua
for key in $(cat "$TMP"/said.*); do
  grep -q "\"$key\"" "$TMP/cache/tuned/results.jsonl" || echo "$key is lost"
done
ls "$TMP/cache/tuned"
tuned() { "$MOONTILE" --lang en -t cpu lib/once.lua 2>&1 | sed "s#$TMP##"; }
mv "$TMP/cache/tuned/results.jsonl" "$TMP/results"
mkdir "$TMP/cache/tuned/results.jsonl"
tuned
rmdir "$TMP/cache/tuned/results.jsonl"
mv "$TMP/results" "$TMP/cache/tuned/results.jsonl"
rm "$TMP/cache/tuned/results.jsonl.lock" && mkdir "$TMP/cache/tuned/results.jsonl.lock"
tuned
