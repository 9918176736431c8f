# What a launch checks before the run-time would refuse it; workspaces, several launches,
# barriers of a whole grid; arguments of all kinds; a device that is full.
. lib/standin.sh
use std
try() { # try CASE [NAME=VALUE ..]
    echo "== $target $*"
    what=$1
    shift
    env "$@" "$MOONTILE" --lang en -t "$target" lib/cases.lua "$what" 2>&1 | brief
}
for target in maca hip; do
    for what in aligned moved tall threads too_many shared too_large synced crowd large mixed; do
        try $what
    done
    try crowded STANDIN_MEMORY=4000000
    try large STANDIN_MEMORY=6000000
    try shared STANDIN_SHARED=40000
    try threads STANDIN_THREADS=512
done
target="maca -packed=on"
try mixed
try synced
target="hip -packed=on"
try mixed
