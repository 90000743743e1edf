#!/bin/sh
# verify.sh -- numel verify in a workflow of GitHub: the report in the log and on the summary, an annotation for each error and warning.
#
# Reads NUMEL_PATHS and NUMEL_OPTIONS (one a line) and NUMEL_STRICT; writes status and sarif to GITHUB_OUTPUT. Fails unless numel's
# status is 0, or 4 (not everything could be checked) without NUMEL_STRICT. Needs jq, which GitHub's runners have.
set -u
command -v jq >/dev/null || { echo "::error::numel verify needs jq"; exit 1; }
sarif=${RUNNER_TEMP:?}/numel-verify-$$.sarif
report=${RUNNER_TEMP:?}/numel-verify-$$.txt
nl='
'
strict=
[ "${NUMEL_STRICT:-false}" = false ] || strict=--strict

set -f
IFS=$nl
# shellcheck disable=SC2086 # lines are arguments
set -- $strict ${NUMEL_OPTIONS:-} -- ${NUMEL_PATHS:-.}
unset IFS
numel verify --no-progress --color never --sarif "$sarif" "$@" >"$report" 2>&1
status=$?
{ echo "status=$status"; echo "sarif=$sarif"; } >>"${GITHUB_OUTPUT:-/dev/null}"

# What numel prints has names of files: none is a command to the runner.
token=numel-$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
echo "::stop-commands::$token"
cat "$report"
echo "::$token::"
{
    echo '### numel verify'
    echo
    echo '<pre>'
    head -c 500000 "$report" | sed 's/&/\&amp;/g; s/</\&lt;/g; s/>/\&gt;/g; s/^$/\&#8203;/'
    echo '</pre>'
} >>"${GITHUB_STEP_SUMMARY:-/dev/null}"

[ ! -s "$sarif" ] || jq -r '
    def escaped: gsub("%"; "%25") | gsub("\r"; "%0D") | gsub("\n"; "%0A");
    def property: escaped | gsub(":"; "%3A") | gsub(","; "%2C");
    # A URI is ASCII: its bytes, and the characters that they are in UTF-8.
    def digit: . - (if . >= 97 then 87 elif . >= 65 then 55 else 48 end);
    def bytes: [match("%[0-9A-Fa-f]{2}|[^%]|%"; "g").string | explode | if length == 3 then (.[1] | digit) * 16 + (.[2] | digit) else .[0] end];
    def more: . >= 128 and . < 192;
    def path: reduce bytes[] as $b ([];
        if $b | more then .[-1] = .[-1] * 64 + $b - 128 elif $b >= 240 then . + [$b - 240] elif $b >= 224 then . + [$b - 224]
        elif $b >= 192 then . + [$b - 192] else . + [$b] end) | implode;
    .runs[].results[] | select(.level == "error" or .level == "warning")
    | "::\(.level) file=\(.locations[0].physicalLocation.artifactLocation.uri // "" | path | property),title=\(.ruleId | property)::\(.message.text | escaped)"
' "$sarif"

case $status in
0) exit 0 ;;
4) [ -n "$strict" ] || exit 0 ;;
esac
echo "::error::numel verify: status $status"
exit 1
