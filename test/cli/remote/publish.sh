#!/bin/sh
# publish.sh FOLDER DIR -- makes DIR, a repository of the stand-in for the hub (stand_in.py), of a folder: its header-only
# copies become what they are copies of, with holes in place of the data.
mkdir -p "$2" || exit
for f in "$1"/*; do
    to=$2/$(basename "$f")
    case $f in
    *.head.zst)
        to=${to%.head.zst}
        zstd -dqf "$f" -o "$to" && truncate -s "$(od -An -tu8 -j16 -N8 "$f" | tr -d ' ')" "$to" || exit ;;
    *) [ -d "$f" ] || cp "$f" "$to" || exit ;;
    esac
done
