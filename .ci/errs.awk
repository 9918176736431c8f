# The constants of a group of messages, from core/base/errs.h, which tells the group's number, and
# the group's table: GROUP_NUMBER * 512 + row, counted from 1.
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
sub(/^ERR\(/, "") && sub(/,.*/, "") { print "    E_" $0 " = " at++ "," }
END { print "};"; print "#endif" }
