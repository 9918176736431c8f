# MOONTILE_LANG and --lang choose the language of everything in a message.
MOONTILE_LANG=zh "$MOONTILE" misspelled_name.lua
echo "exit $?"
MOONTILE_LANG=zh "$MOONTILE" --lang en misspelled_name.lua
echo "exit $?"
MOONTILE_LANG= LC_ALL=zh_CN.UTF-8 "$MOONTILE" missing_argument.lua
echo "exit $?"
MOONTILE_LANG=en "$MOONTILE" --lang zh missing_argument.lua
echo "exit $?"
