# What a prompt is told of a text: it is complete, goes on until a blank line, more is wanted, or it is wrong.
. lib/tool.sh
"$READER" more lib/more.txt
