# The constants of a group of messages, from core/base/errs.h, which tells the group's number, and
# the group's table: E_id, GROUP_NUMBER * 512 + row, counted from 1; and Holes_E_id, the highest {n}
# of the row's texts, 0: none.
FNR == NR {
    if (sub(/^ERRS\(/, "") && sub(/\)$/, "")) {
        if ($0 == group)
            at = n * 512 + 1
        n++
    }
    next
}
FNR == 1 {
    print "/* Made by the build from core/base/errs/" group ".h. */"
    print "#ifndef MOONTILE_ERR_" toupper(group) "_H"
    print "#define MOONTILE_ERR_" toupper(group) "_H"
    print "enum {"
    if (group == "base")
        print "    E_none, ErrGroup = 512, /* ids of a group */"
}
/^\/\*/ { comment = 1 }
comment {
    comment = !/\*\/$/
    next
}
/^ERR\(/ {
    id = $0
    sub(/^ERR\(/, "", id)
    sub(/,.*/, "", id)
    row[++rows] = id
}
rows {
    for (s = $0; match(s, /[{][1-9][|}]/); s = substr(s, RSTART + 1))
        if (substr(s, RSTART + 1, 1) > holes[rows] + 0)
            holes[rows] = substr(s, RSTART + 1, 1) + 0
}
END {
    for (i = 1; i <= rows; i++)
        print "    E_" row[i] " = " at++ ", Holes_E_" row[i] " = " holes[i] + 0 ","
    print "};"
    print "#endif"
}
