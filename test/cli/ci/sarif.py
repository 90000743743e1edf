"""A strict reader of our SARIF 2.1.0: only the objects and keys of the specification (sections 3.13 to 3.58).

The table lists the allowed keys of each object, and their types; "!" is required. Everything else is refused, and
so are values that only a lenient reader accepts.
"""
import re
from urllib.parse import unquote_to_bytes

LEVELS = ("none", "note", "warning", "error")
URI = re.compile(r"(file://)?(/?[A-Za-z0-9._~-]|%[0-9A-F]{2})([A-Za-z0-9._~/-]|%[0-9A-F]{2})*")
SEMVER = re.compile(r"\d+\.\d+\.\d+")

OBJECTS = {
    "log": {"$schema": str, "version!": ("2.1.0",), "runs!": ["run"]},
    "run": {"tool!": "tool", "invocations": ["invocation"], "results!": ["result"], "columnKind": ("utf16CodeUnits", "unicodeCodePoints")},
    "tool": {"driver!": "driver"},
    "driver": {"name!": str, "version": str, "semanticVersion": SEMVER, "rules": ["rule"]},
    "rule": {"id!": str, "shortDescription": "text", "defaultConfiguration": "configuration"},
    "configuration": {"level": LEVELS},
    "text": {"text!": str},
    "invocation": {"executionSuccessful!": bool, "toolExecutionNotifications": ["notification"]},
    "notification": {"message!": "text", "level": LEVELS, "locations": ["location"]},
    "result": {"ruleId!": str, "ruleIndex!": int, "level!": LEVELS, "message!": "text", "locations!": ["location"], "properties": "bag"},
    "location": {"physicalLocation!": "physical", "logicalLocations": ["logical"]},
    "physical": {"artifactLocation!": "artifact", "region": "region"},
    "artifact": {"uri!": URI},
    "region": {"byteOffset!": int},
    "logical": {"fullyQualifiedName!": str},
    "bag": {"verifyLevel!": str, "checkpoint!": str},
}


def wrong(value, kind="log", where="$"):
    """Returns what is wrong with it, or None."""
    if isinstance(kind, list):
        if not isinstance(value, list): return where + " is not an array"
        return next((w for i, v in enumerate(value) if (w := wrong(v, kind[0], "%s[%d]" % (where, i)))), None)
    if isinstance(kind, tuple): return None if value in kind else "%s is %r" % (where, value)
    if isinstance(kind, re.Pattern): return None if isinstance(value, str) and kind.fullmatch(value) else "%s is %r" % (where, value)
    if kind is int: return None if type(value) is int and value >= 0 else "%s is %r" % (where, value)
    if isinstance(kind, type): return None if type(value) is kind and value != "" else "%s is %r" % (where, value)
    if not isinstance(value, dict): return where + " is not an object"
    keys = {k.rstrip("!"): (v, k.endswith("!")) for k, v in OBJECTS[kind].items()}
    for k, (_, needed) in keys.items():
        if needed and k not in value: return "%s has no %s" % (where, k)
    for k, v in value.items():
        if k not in keys: return "%s has a key %s" % (where, k)
        if w := wrong(v, keys[k][0], where + "." + k): return w
    return None


def inconsistent(log):
    """Rules beyond any schema: rule indexes, an unsuccessful run without a reason."""
    run = log["runs"][0]
    if len(log["runs"]) != 1: return "not one run"
    ids = [r["id"] for r in run["tool"]["driver"]["rules"]]
    if len(set(ids)) != len(ids): return "a rule twice"
    for r in run["results"]:
        if r["ruleIndex"] >= len(ids) or ids[r["ruleIndex"]] != r["ruleId"]: return "ruleIndex of %s" % r["ruleId"]
    if set(ids) != {r["ruleId"] for r in run["results"]}: return "rules of no result"
    invocation, = run["invocations"]
    if invocation["executionSuccessful"] == bool(invocation["toolExecutionNotifications"]): return "executionSuccessful"
    return None


def path_of(uri): return unquote_to_bytes(uri[len("file://"):] if uri.startswith("file://") else uri)
