# Generated programs where shared memory is short: right, or refused for what they need of it themselves.
echo E537 >"$TMP/known"
"$MOONTILE" run.lua --seed 4000001 --count 60 --each 1 --known "$TMP/known" \
    --targets "sm_75 -shared=16384,sm_90a -shared=16384,c500 -shared=8192,gfx942 -shared=12288" 2>"$TMP/said"
