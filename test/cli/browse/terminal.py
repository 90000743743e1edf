"""A program in a pseudo-terminal, and what its screen shows: as much of a terminal as curses asks of xterm and vt100.

    t = Terminal([numel, "browse", path], rows=24, columns=80)
    t.until(lambda t: "agrees" in t.line(0))
    t.press("j", "enter")
    t.line(2), t.marked(), t.colors(0)

Whatever is not known here fails: a test must not pass because the screen was misread.
"""
import codecs, fcntl, os, pty, re, select, signal, struct, termios, time, unicodedata

KEYS = {"up": "\x1bOA", "down": "\x1bOB", "right": "\x1bOC", "left": "\x1bOD", "enter": "\r", "back": "\x7f", "esc": "\x1b",
        "home": "\x1bOH", "end": "\x1bOF", "pgup": "\x1b[5~", "pgdn": "\x1b[6~"}
SEQUENCE = re.compile(r"\x1b\[([?>!]?)([0-9;]*)([@-~])|\x1b([()][A-Z0-9])|\x1b([=>78MHc])")


def wide(c):
    if unicodedata.combining(c) or unicodedata.category(c) in ("Mn", "Me", "Cf"): return 0
    return 2 if unicodedata.east_asian_width(c) in "WF" else 1


class Screen:
    """Cells of (text, attributes); attributes are a set of "bold", "reverse" and a colour's number."""

    def __init__(self, rows, columns):
        self.rows, self.columns = rows, columns
        self.cells = [[(" ", frozenset())] * columns for _ in range(rows)]
        self.row = self.column = self.top = 0
        self.bottom = rows - 1
        self.how, self.saved, self.pending, self.last = frozenset(), (0, 0), "", " "
        self.alternate, self.hidden, self.written = False, False, ""

    def blank(self): return (" ", frozenset())

    def resize(self, rows, columns):
        self.cells = [(line + [self.blank()] * columns)[:columns] for line in self.cells[:rows]]
        self.cells += [[self.blank()] * columns for _ in range(rows - len(self.cells))]
        self.rows, self.columns, self.top, self.bottom = rows, columns, 0, rows - 1
        self.row, self.column = min(self.row, rows - 1), min(self.column, columns - 1)

    def scroll(self, n):
        for _ in range(abs(n)):
            if n > 0:
                del self.cells[self.top]
                self.cells.insert(self.bottom, [self.blank()] * self.columns)
            else:
                del self.cells[self.bottom]
                self.cells.insert(self.top, [self.blank()] * self.columns)

    def feed(self, text):
        self.pending += text
        while self.pending:
            c = self.pending[0]
            if c == "\x1b":
                m = SEQUENCE.match(self.pending)
                if not m:
                    if len(self.pending) > 40: raise AssertionError("unknown sequence %r" % self.pending[:40])
                    return
                self.pending = self.pending[m.end():]
                self.sequence(m)
                continue
            self.pending = self.pending[1:]
            self.character(c)

    def character(self, c):
        if c == "\r": self.column = 0
        elif c == "\n":
            if self.row == self.bottom: self.scroll(1)
            else: self.row = min(self.row + 1, self.rows - 1)
        elif c == "\b": self.column = max(0, self.column - 1)
        elif c == "\t": self.column = min(self.columns - 1, (self.column // 8 + 1) * 8)
        elif c in "\x07\x0e\x0f": pass
        elif c < " ": raise AssertionError("control character %r on the screen" % c)
        else: self.show(c)

    def show(self, c):
        n = wide(c)
        if n == 0:
            at = max(0, self.column - 1)
            self.cells[self.row][at] = (self.cells[self.row][at][0] + c, self.how)
            return
        if self.column + n > self.columns:
            self.column = 0
            self.character("\n")
        self.cells[self.row][self.column] = (c, self.how)
        if n == 2: self.cells[self.row][self.column + 1] = ("", self.how)
        self.column += n
        self.last = c

    def sequence(self, m):
        private, numbers, final, charset, single = m.groups()
        if charset: return
        if single:
            if single == "7": self.saved = (self.row, self.column)
            elif single == "8": self.row, self.column = self.saved
            elif single == "M":
                if self.row == self.top: self.scroll(-1)
                else: self.row -= 1
            return
        p = [int(x) if x else 0 for x in numbers.split(";")] if numbers else []
        n = p[0] if p and p[0] else 1
        line = self.cells[self.row]
        if final in "hl":
            if private == "?" and 1049 in p: self.alternate = final == "h"
            if private == "?" and 25 in p: self.hidden = final == "l"
        elif final in "tcn": pass
        elif final == "m": self.attributes(p or [0])
        elif final in "Hf": self.row, self.column = min(n, self.rows) - 1, min(p[1] if len(p) > 1 and p[1] else 1, self.columns) - 1
        elif final == "A": self.row = max(0, self.row - n)
        elif final == "B": self.row = min(self.rows - 1, self.row + n)
        elif final == "C": self.column = min(self.columns - 1, self.column + n)
        elif final == "D": self.column = max(0, min(self.column, self.columns) - n)
        elif final == "G": self.column = min(n, self.columns) - 1
        elif final == "d": self.row = min(n, self.rows) - 1
        elif final == "J": self.erase(p[0] if p else 0)
        elif final == "K":
            first, end = [(self.column, self.columns), (0, self.column + 1), (0, self.columns)][p[0] if p else 0]
            line[first:end] = [self.blank()] * (end - first)
        elif final == "X":
            n = min(n, self.columns - self.column)
            line[self.column:self.column + n] = [self.blank()] * n
        elif final == "P": self.cells[self.row] = (line[:self.column] + line[self.column + n:] + [self.blank()] * n)[:self.columns]
        elif final == "@": self.cells[self.row] = (line[:self.column] + [self.blank()] * n + line[self.column:])[:self.columns]
        elif final == "b":
            for _ in range(n): self.show(self.last)
        elif final in "LM":
            top, self.top = self.top, self.row
            self.scroll(-n if final == "L" else n)
            self.top = top
        elif final == "S": self.scroll(n)
        elif final == "T": self.scroll(-n)
        elif final == "r":
            self.top, self.bottom = n - 1, (p[1] if len(p) > 1 and p[1] else self.rows) - 1
            self.row = self.column = 0
        else: raise AssertionError("unknown sequence %r" % m.group())

    def erase(self, what):
        if what == 0:
            self.cells[self.row][self.column:] = [self.blank()] * (self.columns - self.column)
            for i in range(self.row + 1, self.rows): self.cells[i] = [self.blank()] * self.columns
        elif what == 2: self.cells = [[self.blank()] * self.columns for _ in range(self.rows)]
        else: raise AssertionError("erase %d" % what)

    def attributes(self, p):
        for x in p:
            if x == 0: self.how = frozenset()
            elif x == 1: self.how |= {"bold"}
            elif x == 7: self.how |= {"reverse"}
            elif x == 22: self.how -= {"bold"}
            elif x == 27: self.how -= {"reverse"}
            elif 30 <= x <= 37: self.how = frozenset(h for h in self.how if isinstance(h, str)) | {x - 30}
            elif x in (39, 49, 10): self.how = frozenset(h for h in self.how if isinstance(h, str) or x != 39)
            else: raise AssertionError("attribute %d" % x)


class Terminal:
    def __init__(self, words, rows=24, columns=80, env=None, term="xterm", path=None):
        self.screen = Screen(rows, columns)
        self.decoder = codecs.getincrementaldecoder("utf-8")("strict")
        self.raw, self.status = b"", None
        told, tell = os.pipe()
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.read(told, 1) # the modes before are known
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
            for name in ("NO_COLOR", "CLICOLOR_FORCE", "FORCE_COLOR", "COLUMNS", "LINES", "LC_ALL"): os.environ.pop(name, None)
            all_ = {**os.environ, "TERM": term, "LANG": "C.UTF-8", **(env or {})}
            try: os.execvpe(words[0], words, {name: value for name, value in all_.items() if value is not None})
            finally: os._exit(127)
        self.before = termios.tcgetattr(self.fd)
        os.write(tell, b" ")
        os.close(told)
        os.close(tell)

    def read(self, seconds):
        """Reads what comes within that time; False: nothing, or the end."""
        if not select.select([self.fd], [], [], seconds)[0]: return False
        try: got = os.read(self.fd, 1 << 16)
        except OSError: got = b""
        self.raw += got
        self.screen.feed(self.decoder.decode(got))
        return bool(got)

    def waits(self):
        """Does the program sleep, as it does when it waits for a key?"""
        try:
            with open("/proc/%d/stat" % self.pid) as f: return f.read().rpartition(")")[2].split()[0] in "SZ"
        except OSError: return True

    def settle(self):
        """Until it has done what it was asked: it sleeps, and still does after a while without having written."""
        while self.read(0.04) or not self.waits() or self.read(0.04) or not self.waits(): pass
        return self

    def until(self, what, why=""):
        end = time.monotonic() + 60
        while not what(self):
            if time.monotonic() > end or (not self.read(0.5) and self.ended()):
                raise AssertionError("the screen never showed %s:\n%s" % (why or "it", self.text()))
        return self.settle()

    def press(self, *keys):
        for k in keys: os.write(self.fd, KEYS.get(k, k).encode())
        return self.settle()

    def resize(self, rows, columns):
        self.screen.resize(rows, columns)
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        return self.settle()

    def line(self, i): return "".join(c for c, _ in self.screen.cells[i]).rstrip()
    def lines(self): return [self.line(i) for i in range(self.screen.rows)]
    def text(self): return "\n".join(self.lines())
    def colors(self, i): return {h for _, how in self.screen.cells[i] for h in how if not isinstance(h, str)}

    def marked(self):
        """The selected row: in reverse, between the head and the foot."""
        return [self.line(i) for i in range(2, self.screen.rows - 1)
                if self.screen.cells[i] and "reverse" in self.screen.cells[i][-1][1]]

    def ended(self):
        if self.status is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid: self.status = status
        return self.status is not None

    def wait(self):
        """The exit status; below 0 the signal that ended it."""
        end = time.monotonic() + 60
        while not self.ended():
            self.read(0.05)
            if time.monotonic() > end: raise AssertionError("it does not end:\n" + self.text())
        while self.read(0.05): pass
        return os.WEXITSTATUS(self.status) if os.WIFEXITED(self.status) else -os.WTERMSIG(self.status)

    def signal(self, number): os.kill(self.pid, number)

    def restored(self):
        """Is the terminal as it was: its modes, its main screen, the cursor?"""
        return termios.tcgetattr(self.fd)[:4] == self.before[:4] and not self.screen.alternate and not self.screen.hidden

    def close(self):
        if not self.ended():
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
            self.status = -1
        os.close(self.fd)
