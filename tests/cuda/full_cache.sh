# A cache folder on a file system that is full, or can only be read: it is said, or the kernel runs
# and is compiled again the next time; nothing half made is left.  The disks are made in a
# namespace of their own.
. lib/fake.sh
unshare -rm sh -c 'mount -t tmpfs none /tmp' 2>/dev/null || { echo "nothing can be mounted"; exit 77; }
fake
fake_rtc
unset FAKE_CUDA_LOG
unshare -rm sh lib/full_cache.sh
