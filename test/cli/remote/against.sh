# against.sh -- in $T, m/ is a fresh copy of the published files; `against [@REV][/FOLDER]` compares it, and prints what differs.
cd "$T" && rm -rf m hub/org/published hub/org/published@* && cp -r copy hub/org/published && cp -r copy m || exit
m=m
against() { numel verify --against "hf://org/published${1-}" $m 2>/dev/null | sed -n '/^\(error\|warning\)/,/^$/p; /^\(complete\|incomplete\|damaged\)/p' | grep .; }
