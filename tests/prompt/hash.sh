# Comments as elsewhere, as the first thing typed: none starts a length, nor waits for more of it.
"$MOONTILE" -i --color never 2>&1 <<'END'
# a note
# x = 3
# don't
# (todo
# function
# if x then
#
#!/usr/bin/env moontile
#x = 3
# note
#note
x = 1 # one
# all of this
y = 2
 # indented
// note
#{1, 2} + x
:lua
t = {1, 2, 3}
# t
#t
#(
t)
END
echo "exit $?"
"$MOONTILE" -i --lang zh --color never 2>&1 <<'END'
# 说明
#note
END
# Inside a block too.
"$MOONTILE" -i --color never 2>&1 <<'END'
if true then
# (note
x = 3 # one
end
END
