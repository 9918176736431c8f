# Texts that are not Python: lib/wrong.txt, and the message that each gets.
. lib/tool.sh
"$READER" wrong en lib/wrong.txt
