"""numel-fetch against servers that serve, redirect, cut, stall, lie, limit and change: test/interop/remote/case_*.py.

Every function case_NAME of those files is a case: it asserts, or returns why it is skipped. They run at the same time, each with servers
of its own on the loopback.

  B=build/release python3 test/interop/remote/run.py [NAME...]
"""
import concurrent.futures, glob, importlib, os, sys, time, traceback

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
# A sanitizer's report must not pass for an early end.
os.environ.setdefault("ASAN_OPTIONS", "abort_on_error=1")
os.environ.setdefault("UBSAN_OPTIONS", "abort_on_error=1")
import client


def run(name, case):
    began = time.monotonic()
    try: why = case()
    except Exception: return name, traceback.format_exc(), 0
    return name, "skipped: " + why if why else None, time.monotonic() - began


def main():
    if not os.path.exists(client.PROGRAM): return print("remote: no numel-fetch, which needs libcurl: skipped")
    cases = {}
    for path in sorted(glob.glob(HERE + "/case_*.py")):
        module = importlib.import_module(os.path.basename(path)[:-3])
        cases.update({n[5:]: f for n, f in vars(module).items() if n.startswith("case_")})
    wanted = sys.argv[1:] or sorted(cases)
    failed, slow = 0, {}
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        for name, why, seconds in pool.map(lambda n: run(n, cases[n]), wanted):
            slow[name] = seconds
            if why: print("%s: %s" % (name, why))
            failed += bool(why) and not why.startswith("skipped")
    if sys.argv[1:]: print("\n".join("%5.1f s %s" % (s, n) for n, s in slow.items()))
    if failed: sys.exit("remote: %d of %d cases failed" % (failed, len(wanted)))
    print("remote: ok, %d cases" % len(wanted))


main()
