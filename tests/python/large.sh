# What is too large for one function or one block of ours: where, and what to do.
many() { awk -v n="$1" -v f="$2" -v sep="$3" 'BEGIN { for (i = 0; i < n; i++) printf "%s" f, i ? sep : "", i, i }'; }

{ echo "def f($(many 260 'v%d' ', ')):"; echo "    return v3 + v259"; } >"$TMP/names.py"
{ echo "for i in range(3):"; many 40000 '    a = (i + 1) * 3 %% 7 + (%d if i > 2 else i)\n' ''; echo; } >"$TMP/block.py"
{ echo "def f(a):"; echo "    return a($(many 260 '*a + %d' ', '))"; } >"$TMP/call.py"
{ echo "def f():"; many 7000 '    for i in range(%d): pass\n' ''; echo "f()"; } >"$TMP/loops.py"
for lang in en zh; do
    for f in names block call loops; do
        "$MOONTILE" --lang $lang "$TMP/$f.py" 2>&1 | sed "s|$TMP/||" | cut -c1-100
    done
done
# These are not.
{ echo "def f():"; many 300 '    v%d = %d\n' ''; echo "    return v3 + v299"; echo "print(f())"; } >"$TMP/locals.py"
{ echo "a = 1"; echo "print($(many 900 'a' ' + '))"; echo "x = [$(many 70000 '%d' ', ')]"; echo "print(len(x), max($(many 400 '%d' ', ')))"; } >"$TMP/long.py"
"$MOONTILE" "$TMP/locals.py"
"$MOONTILE" "$TMP/long.py"
