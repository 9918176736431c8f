# Processes that keep results of tuning at one moment: none is lost.
export MOONTILE_CACHE_DIR="$TMP/cache"
for who in a b c d e f g h; do
  WHO=$who "$MOONTILE" --lang en lib/keep.lua &
done
wait
wc -l <"$TMP/cache/tuned/results.jsonl"
