# A Lua loop that does not end while a kernel is traced can be interrupted: it asks for that
# itself, so that a slow machine has come to the loop by then.
(ulimit -t 20; "$MOONTILE" lib/traced_for_ever.lua)
echo "exit $?"
