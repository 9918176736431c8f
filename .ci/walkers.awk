# Functions that look at an expression's arguments by calling themselves for them.
# Input: C files; output: "file function", one a line.
function done() {
    if (name != "" && args && calls)
        print FILENAME " " name
    name = ""
}
FNR == 1 { name = "" }
/^[a-z].*[a-z_0-9]\(.*[^;]$/ && !/^(typedef|struct|enum|return|else|case)/ {
    head = $0
    sub(/\(.*/, "", head)
    sub(/.*[ *]/, "", head)
    name = head
    args = calls = 0
    next
}
/^}/ { done(); next }
name != "" {
    if ($0 ~ /arg\[/) args = 1
    if ($0 ~ ("(^|[^a-z_0-9])" name "\\(")) calls = 1
}
