# A Lua loop that does not end while a kernel is traced can be interrupted.
(ulimit -t 20; timeout --preserve-status -s INT 1.5 "$MOONTILE" lib/traced_for_ever.lua)
echo "exit $?"
