# help.awk -- what `make help` prints, from lines "TARGET: ... ## TEXT" of the Makefile and its parts.
#
# A line "# ---- TITLE" begins a section of the Makefile. A file named suites.mk is a group of tests, named
# after its folder: only the names of its targets are listed, unless -v all=1 prints one per line.
FNR == 1 {
    end_group()
    group = ""
    if (FILENAME ~ /suites\.mk$/) { split(FILENAME, part, "/"); group = part[2] }
    if (FILENAME ~ /tests\.mk$/) title("tests (test/README.md says what each proves)")
    if (FILENAME ~ /import\.mk$/) title("data")
    if (FILENAME ~ /packaging\.mk$/) title("packages (docs/packaging/README.md)")
    if (group == "rules") title("habits")
    else if (group && all) title(group)
}
function title(text) { printf "%s%s\n", titles++ ? "\n" : "", text }
# The names of a group, in lines of at most 79 columns.
function end_group(   i, k, word, line) {
    k = split(names, word, " ")
    line = sprintf("  %-12s", group ":")
    for (i = 1; i <= k; i++) {
        if (length(line " " word[i]) > 79) { print line; line = sprintf("  %-12s", "") }
        line = line " " word[i]
    }
    if (k) print line
    names = ""
}
/^# ---- / && !/the rest/ { title(substr($0, 8)) }
/^[a-z][a-z-]*:.*## / && !/^help:/ {
    name = text = $0
    sub(/:.*/, "", name)
    sub(/.*## /, "", text)
    if (group && !all) names = names " " name
    else printf "  %-12s %s\n", name, text
}
END {
    print "\nmake help ALL=1 has a line for every target. Variables:"
    print "  MODE=release|asan|tsan|cover|fuzz  JOBS=N  WERROR=1  V=1  HARDEN="
    print "  CC  CFLAGS  CPPFLAGS  LDFLAGS  LDLIBS  LINK_CRYPTO=1"
    print "  PREFIX  LIBDIR  DESTDIR  STRIP  RPATH  NUMEL_SHARED"
}
