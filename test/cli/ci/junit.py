"""A strict reader of our JUnit XML: the elements and attributes that Jenkins, GitLab and GitHub's actions read,
and totals that match their contents."""
import xml.etree.ElementTree as ElementTree

COUNTS = {"tests": None, "failures": "failure", "errors": "error", "skipped": "skipped"}
ATTRIBUTES = {"testsuites": {"name", *COUNTS}, "testsuite": {"name", *COUNTS}, "testcase": {"name", "classname"},
              "failure": {"message", "type"}, "error": {"message"}, "skipped": {"message"}, "system-out": set()}
BELOW = {"testsuites": {"testsuite"}, "testsuite": {"testcase"}, "testcase": {"failure", "error", "skipped", "system-out"}}


def parsed(data):
    """Returns the root; raises if the document is not UTF-8 XML, or has characters that XML 1.0 forbids."""
    if not data.startswith(b'<?xml version="1.0" encoding="UTF-8"?>\n<testsuites '): raise ValueError("its front")
    for c in data.decode("utf-8"):
        if ord(c) < 32 and c != "\n" or ord(c) in (0xFFFE, 0xFFFF, 0x7F): raise ValueError("character %r" % c)
    return ElementTree.fromstring(data)


def cases(element): return list(element.iter("testcase"))


def wrong(root):
    if root.tag != "testsuites": return "the root is " + root.tag
    for e in root.iter():
        if set(e.attrib) != ATTRIBUTES.get(e.tag): return "%s has %s" % (e.tag, sorted(e.attrib))
        if any(c.tag not in BELOW.get(e.tag, ()) for c in e): return "below " + e.tag
        if e.tag == "testcase" and len(e) > 1: return "a case with two verdicts"
        if e.tag in ("failure", "error", "skipped") and not e.attrib["message"]: return e.tag + " without a message"
        if e.tag in ("testsuites", "testsuite"):
            for name, tag in COUNTS.items():
                n = len(cases(e)) if tag is None else sum(1 for c in cases(e) if c.find(tag) is not None)
                if e.attrib[name] != str(n): return "%s: %s is %s, counted %d" % (e.tag, name, e.attrib[name], n)
    return None
