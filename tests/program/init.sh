# The init file is for the prompt only, and -E skips it.
export XDG_CONFIG_HOME="$TMP/config"
mkdir -p "$XDG_CONFIG_HOME/moontile"
echo 'from_init = 1; print "init"' >"$XDG_CONFIG_HOME/moontile/init.lua"
echo 'from_init' | "$MOONTILE" -i
echo 'from_init' | "$MOONTILE" -E -i
"$MOONTILE" -e 'print(from_init)'
echo 'error "in init"' >"$XDG_CONFIG_HOME/moontile/init.lua"
echo '"goes on"' | "$MOONTILE" -i 2>&1 | sed "s|$TMP|TMP|"
unset XDG_CONFIG_HOME
mkdir -p "$HOME/.config/moontile"
echo 'print "at home"' >"$HOME/.config/moontile/init.lua"
echo '1' | "$MOONTILE" -i
