"""policy.py PAGE -- are the digests in a page's policy those of its style and its script?"""
import base64, hashlib, re, sys

page = open(sys.argv[1], encoding="utf-8", newline="").read()
policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page)[1]
for kind, pattern in (("style", r"(?s)<style>(.*?)</style>"), ("script", r"(?s)<script>(.*?)</script>")):
    found = re.findall(pattern, page)
    digest = base64.b64encode(hashlib.sha256(found[-1].encode()).digest()).decode()
    print(kind, len(found), "as its policy says" if "%s-src 'sha256-%s'" % (kind, digest) in policy else "not of " + policy)
