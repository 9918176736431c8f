# Which file uses which by the name of a module: "moontile.x.y" in a Lua file, by require or to be
# required later.  A module is lua/x/y.lua, lua/x/y/init.lua or the same without lua/ before it, or C:
# the file with luaopen_moontile_x, or with {"moontile.x", function}.
# Input: the list of all files; C sources; Lua files.  Output: "from to", a pair a line.
FILENAME ~ /lint-files$/ { there[$0]; next }
FILENAME ~ /\.c$/ {
    if (match($0, /^int luaopen_moontile_[a-z_0-9]+\(/))
        made[substr($0, RSTART + 21, RLENGTH - 22)] = FILENAME
    while (match($0, /\{"moontile\.[a-z_.]+", [a-z_]+\}/)) {
        split(substr($0, RSTART, RLENGTH), part, "\"")
        made[substr(part[2], 10)] = FILENAME
        $0 = substr($0, RSTART + RLENGTH)
    }
    next
}
# The file of a module; a name that goes on elsewhere ("moontile.help.of_" .. name) is its folder's.
function home(name,    i, path) {
    if (name in made)
        return made[name]
    gsub(/\./, "/", name)
    for (i = 1; i <= 2; i++) {
        path = (i == 1 ? "lua/" : "") name
        if ((path ".lua") in there)
            return path ".lua"
        if ((path "/init.lua") in there)
            return path "/init.lua"
        if (name ~ /[\/_]$/ && sub(/\/[^\/]*$/, "", path) && path in there)
            return path "/"
    }
    return ""
}
/^ *--/ { next }
{
    line = $0
    while (match(line, /["']moontile\.[a-zA-Z_.]+["']/)) {
        to = home(substr(line, RSTART + 10, RLENGTH - 11))
        if (to != "" && to != FILENAME)
            print FILENAME " " to
        line = substr(line, RSTART + RLENGTH - 1)
    }
}
