# The same in Chinese.
. lib/tool.sh
"$READER" wrong zh lib/wrong.txt
