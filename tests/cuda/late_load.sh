# A driver that does not come back from loading a kernel: E901 after the time for that, which is
# more than the kernel's own, and the session goes on.
. lib/fake.sh
fake
fake_rtc
unset FAKE_CUDA_LOG
export MOONTILE_TIME_LIMIT=0.01 FAKE_CUDA_SLOW="cuModuleLoadDataEx 20000"
for lang in en zh; do
    timeout 300 "$MOONTILE" --lang $lang -t cuda lib/late.lua 2>&1
    echo "exit $?"
done
