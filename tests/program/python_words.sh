# Words of Python that are variables in Lua, and statements of Python's: the same help in a
# file, with -e and at the prompt.
cd "$TMP" || exit 1
while read -r line; do
    echo "--- $line"
    "$MOONTILE" -e "$line" 2>&1 | grep -e error -e help
    echo "$line" | "$MOONTILE" -i 2>&1 | grep -e error -e help
    printf 'local y = 1\n%s\n' "$line" >one.lua
    "$MOONTILE" one.lua 2>&1 | grep -e error -e help
done <<'END'
x = True
if True then print(1) end
print(None)
local x <const> = not False
f = function() return None end f()
lambda x: x
del x
assert x == 1
assert not x
print x
# comment
if x is None then print(1) end
while x is not y do print(1) end
x = y is None
x is None
print(x is 1)
global x
if x then pass end
END
echo "--- programs that have such variables"
cat >own.lua <<'END'
True, False = true, false
print(True, False, True and 1 or 2, not False)
None = nil
print(None)
END
"$MOONTILE" own.lua
cat >set.lua <<'END'
_G.True = true
rawset(_G, "None", 0)
local function f(False) return False end
print(True, None, f(7), load("return False", "x", "t", {False = 3})(), load("return False", "x", "t", {})())
print(({True = 1}).True, _G.False)
local _ENV = {print = print}
print(True, False)
END
"$MOONTILE" set.lua
printf 'True = true\nTrue\nlocal None = 5\nNone\nFalse = false\nFalse\n' | "$MOONTILE" -i
