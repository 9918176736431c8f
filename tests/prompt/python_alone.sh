# A word that begins a clause of Python is no name of Lua's: alone, too, it is an error that says what it belongs to.
for word in elif except finally try 'elif # x'; do
    echo "$word" | "$MOONTILE" --lang en 2>&1
done
