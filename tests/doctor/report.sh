# The report for an issue and the object for programs: what is in them, and what is not.
cd ../standin
. lib/standin.sh
use std
unset MOONTILE_PROBE
export MOONTILE_CACHE_DIR="$TMP/cache" MOONTILE_TOKEN=very-secret MACA_API_KEY=hush HOME="$TMP/home"
export MACA_PATH="$TMP/home/maca" MOONTILE_URL= LC_ALL=C.UTF-8
mkdir -p "$HOME"
cd "$TMP"
STANDIN_MMA="=16x16x16bf16=" "$MOONTILE" --lang en doctor maca --report >out 2>err
echo "status $?"
cat err
echo "== no secrets"
grep -c 'very-secret\|hush' moontile-report.txt
echo "== parts"
grep '^==' moontile-report.txt | grep -v '^== .*-smi'
echo "== variables"
grep '^MACA_\|^MOONTILE_TOKEN' moontile-report.txt
echo "== what did not match"
grep -a '^is mma.*bf16' moontile-report.txt | cut -c1-150
grep -c '^is mma.*dump' moontile-report.txt
echo "== a file of another name, and one that cannot be written"
"$MOONTILE" --lang en doctor sim --report mine.txt >out 2>&1
echo "status $?"
tail -1 out
head -1 mine.txt | sed 's/ [0-9.]*:/ N:/'
"$MOONTILE" --lang en doctor sim --report /nowhere/x 2>&1 >out
"$MOONTILE" --lang zh doctor sim --report=/nowhere/x 2>&1 >out
echo "== for programs"
"$MOONTILE" --lang en doctor maca --json >json 2>err
echo "status $?, $(wc -l <json) line"
cat err
cat >show.lua <<'END'
local o = require("moontile.tl.json").decode(io.read "a")
local t = o.targets[1]
print(o.ok, t.name, t.state, t.answers.params, t.answers["mma.mxc.16x16x16.f32.f16"], o.system.host)
for _, row in ipairs(t.rows) do
  print(row.mark, row.name)
end
END
"$MOONTILE" show.lua <json
echo "== words"
"$MOONTILE" --lang en doctor nothing 2>&1
"$MOONTILE" --lang en doctor --limit 0 2>&1
"$MOONTILE" --lang zh doctor sim cpu 2>&1
"$MOONTILE" --lang en doctor --help
"$MOONTILE" --lang zh doctor --help | head -1
echo "== all of them, and at the prompt"
env MOONTILE_MACA_LIB= MOONTILE_HIP_LIB= MOONTILE_CUDA_LIB= "$MOONTILE" --lang en doctor |
    grep '^\(system\|cpu\|sim\|remote\) ' | sed 's/  *(.*//'
printf ':doctor sim\n' | "$MOONTILE" -E --lang en -i 2>&1 | grep '^sim' | sed 's/ *$//'
"$MOONTILE" --lang en -t "sim -arch=c500" doctor 2>&1 | grep 'machine  ' | sed 's/ (.*//'
