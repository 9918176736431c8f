# Functions that look at an expression's arguments by calling themselves for them, or each
# other: a round of functions of one file that all take an expression.
# Input: a C file; output: "file function", one a line.
function opened(head, at) {
    takes = head ~ /[(, ]Ex [a-z]/ || head ~ /const Expr \*/
    at = head
    sub(/\(.*/, "", at)
    sub(/.*[ *]/, "", at)
    name = at
    if (!(name in known)) {
        known[name] = ++n
        list[n] = name
    }
    ex[name] = takes
}
# Does `from` come to `to` again, through those that take an expression?
function comes(from, to, i, m, all, callee) {
    m = split(calls[from], all, " ")
    for (i = 1; i <= m; i++) {
        callee = all[i]
        if (callee == to)
            return 1
        if (callee in known && ex[callee] && !(callee in been)) {
            been[callee] = 1
            if (comes(callee, to))
                return 1
        }
    }
    return 0
}
/^[a-z].*[a-z_0-9]\(.*[^;]$/ && !/^(typedef|struct|enum|return|else|case)/ { opened($0); next }
/^}/ { name = ""; next }
name != "" {
    line = $0
    if (line ~ /arg\[/) args[name] = 1
    while (match(line, /[a-z_][a-z_0-9]*\(/)) {
        calls[name] = calls[name] " " substr(line, RSTART, RLENGTH - 1)
        line = substr(line, RSTART + RLENGTH)
    }
}
END {
    for (i = 1; i <= n; i++) {
        split("", been)
        if (!(list[i] in args))
            continue
        self = (calls[list[i]] " ") ~ (" " list[i] " ")
        if (self || (ex[list[i]] && comes(list[i], list[i])))
            print FILENAME " " list[i]
    }
}
