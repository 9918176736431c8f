# Inside the namespace of ../full_cache.sh: a disk of 256 KiB at $TMP/disk.
. lib/fake.sh
mkdir -p "$TMP/disk"
export MOONTILE_CACHE_DIR="$TMP/disk/cache" TMPDIR="$TMP/disk"
new_disk() {
    umount "$TMP/disk" 2>/dev/null
    mount -t tmpfs -o size=256k none "$TMP/disk"
}
# told WHAT: three launches, what was said, what is left in part
told() {
    out=$(timeout 300 "$MOONTILE" --lang en -t cuda lib/attack.lua 2>"$TMP/err")
    echo "$1: $out, exit $?"
    brief <"$TMP/err" | sed 's#[0-9a-f]\{32\}#HASH#g'
    find "$TMP/disk" -name 'tmp*'
}
leave() { # leave N: only so many KiB of the disk
    rm -f "$TMP/disk/ballast"
    head -c $((256 - $1))k /dev/zero >"$TMP/disk/ballast" 2>/dev/null
}

new_disk
leave 0
told "full from the beginning"
for k in 4 8 12 16 24; do
    new_disk
    leave $k
    told "$k KiB are left"
done
new_disk
told "room"
leave 0
told "full, of what it has"
new_disk
told "room again"
mount -o remount,ro "$TMP/disk"
told "read-only, of what it has"
new_disk
mount -o remount,ro "$TMP/disk"
told "read-only from the beginning"
export TMPDIR="$TMP/elsewhere"
mkdir "$TMPDIR"
told "read-only, and there is another"
