# Who uses whom: first file .ci/rooms; then `nm -A` of the objects, FOLDER/FILE.o:..., and pairs of
# Lua files and what they use, from .ci/requires.awk.
# Prints each use that no line of .ci/rooms allows, each line that allows what nobody uses.
FNR == NR {
    sub(/#.*/, "")
    if ($1 == "~")
        late[$2, $3] = 1
    if (NF == 0 || $1 == "~")
        next
    room[$1] = ++rooms
    for (i = 2; i <= NF; i++) {
        if ($i !~ /\*$/ && !($i in room))
            print $i ": .ci/rooms lets " $1 " use it, which stands above it"
        may[$1, i] = $i
    }
    n[$1] = NF
    next
}
FILENAME ~ /requires$/ {
    from = of_lua($1)
    to = of_lua($2)
    if (from == "" || to == "")
        lost[folder(from == "" ? $1 : $2)] = 1
    else if (from != to && ($1, to) in late)
        used[$1, to] = 1
    else if (from != to && !allowed(from, to))
        print $1 " uses " $2 ": .ci/rooms does not let it"
    next
}
{
    colon = index($0, ":")
    object = substr($0, 1, colon - 1)
    count = split(substr($0, colon + 1), word, " ")
    if (count == 2 && word[1] == "U")
        uses[object, word[2]] = 1
    else if (count == 3 && word[2] ~ /^[TDRBVW]$/)
        home[word[3]] = object
}
function folder(path) { sub(/\/[^\/]*$/, "", path); return path }
function of_lua(path) {
    while (sub(/\/[^\/]*$/, "", path))
        if (path in room)
            return path
    return ""
}
# A room stands above those that may use it by `*`, too: no circle.
function allowed(from, to,    i, p) {
    for (i = 2; i <= n[from]; i++) {
        p = may[from, i]
        if (p == to || (sub(/\*$/, "", p) && index(to, p) == 1 && room[to] < room[from])) {
            used[from, i] = 1
            return 1
        }
    }
    return 0
}
END {
    for (pair in uses) {
        split(pair, of, SUBSEP)
        if (!(of[2] in home))
            continue
        from = folder(of[1])
        to = folder(home[of[2]])
        if (!(from in room))
            lost[from] = 1
        else if (from != to && !allowed(from, to))
            print of[1] " uses " of[2] " of " home[of[2]] ": .ci/rooms does not let it"
    }
    for (f in lost)
        print f ": a folder that .ci/rooms does not know"
    for (f in room)
        for (i = 2; i <= n[f]; i++)
            if (!((f, i) in used))
                print f " does not use " may[f, i] ": strike it off .ci/rooms"
    for (pair in late)
        if (!(pair in used)) {
            split(pair, of, SUBSEP)
            print of[1] " does not name " of[2] ": strike it off .ci/rooms"
        }
}
