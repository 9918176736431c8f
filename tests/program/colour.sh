# --color and NO_COLOR decide about escapes; a pipe has none by itself.
coloured() { "$MOONTILE" "$@" 2>&1 >/dev/null | grep -c "$(printf '\033')\\["; }
coloured -e 'error "x"'
coloured --color always -e 'error "x"'
NO_COLOR=1 coloured --color=always -e 'error "x"'
coloured --color never -e 'error "x"'
:
