# usage: awk -f lint.awk lint.txt FINDINGS...
# Fails on a finding of test/rules/lint.sh without a reason in lint.txt, and on a reason that no finding
# needs. A line of lint.txt: FILE FUNCTION CHECK REASON. It names the function because line numbers change.
function say(why) { print why; bad = 1 }
# Finds the function that contains the line: clang-format puts the braces of a function in column 0.
function function_at(file, line,    text, n, head, name) {
    name = "-"
    while (n < line && (getline text < file) > 0) {
        n++
        if (text ~ /^[A-Za-z_].*\(/) { head = text; sub(/\(.*/, "", head); sub(/.*[ *]/, "", head); name = head }
        if (text ~ /^}/ && n < line) name = "-"
    }
    close(file)
    return name
}
FILENAME ~ /lint\.txt$/ {
    if ($1 ~ /^#/ || NF == 0) next
    if (NF < 4) say("lint.txt: no reason: " $0)
    sub(/\(\)$/, "", $2)
    may[$1, $2, $3] = 1
    next
}
($0) in seen { next } # several files report a finding in a header
{
    seen[$0] = 1
    split($1, at, ":")
    check = $2
    place = function_at(at[1], at[2] + 0)
    sub(/^[^ ]+ [^ ]+ /, "")
    if ((at[1], place, check) in may) used[at[1], place, check] = 1
    else say(at[1] ":" at[2] ": " place "(): " $0 " [" check "]")
}
END {
    for (entry in may)
        if (!(entry in used)) { split(entry, part, SUBSEP); say("lint.txt: not needed: " part[1] " " part[2] " " part[3]) }
    if (bad) exit 1
    for (entry in used) n++
    print "lint: ok (" n + 0 " known false findings)"
}
