/*
 * browse_screen.c -- the terminal, by curses.
 *
 * All signals that end the program or change the screen wait while the program works, and come in only where it waits
 * for a key: then the terminal is restored, and the program ends by that signal.
 *
 * ncursesw is loaded when a screen begins, since linking it takes longer than most commands. Without it, or built without
 * its header (as static programs are), screen_lacks() says so.
 */
#include "browse.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef NUMEL_CURSES

const char *screen_lacks(void) { return "this numel was built without ncursesw"; }

int screen_run(const struct browse_source *source, bool color)
{
    (void)source;
    (void)color;
    return EXIT_USAGE;
}

#else

#define NCURSES_NOMACROS
#include <curses.h>
#include <dlfcn.h>
#include <langinfo.h>
#include <locale.h>
#include <signal.h>
#include <poll.h>
#include <sys/select.h>
#include <term.h>
#include <wchar.h>

/* ---- ncursesw --------------------------------------------------------------------------------------- */

/* The functions used: all are of 6.1 and later. */
/* clang-format off */
#define CURSES_FUNCTIONS(X) \
    X(newterm) X(delscreen) X(endwin) X(newwin) X(delwin) X(setupterm) X(tigetstr) \
    X(cbreak) X(noecho) X(nonl) X(keypad) X(nodelay) X(set_escdelay) X(curs_set) \
    X(has_colors) X(start_color) X(use_default_colors) X(init_pair) \
    X(wget_wch) X(werase) X(wrefresh) X(mvwaddstr) X(wattr_set) X(getmaxx) X(getmaxy)
/* clang-format on */

struct curses {
#define FUNCTION(name) __typeof__(&name) name;
    CURSES_FUNCTIONS(FUNCTION)
#undef FUNCTION
};

/* False: it is not installed, or too old. It stays loaded. */
static bool curses_load(struct curses *x)
{
    static const char *const names[] = { "libncursesw.so.6", "libncursesw.6.dylib", "libncurses.dylib" };
    void *library = NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names && !library; i++)
        library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    if (!library) return false;
#define FUNCTION(name)                                 \
    if (!(*(void **)&x->name = dlsym(library, #name))) \
        return false; /* as POSIX converts what dlsym() returns */
    CURSES_FUNCTIONS(FUNCTION)
#undef FUNCTION
    return true;
}

/* ---- signals -------------------------------------------------------------------------------------- */

static volatile sig_atomic_t ended_by;

static void on_signal(int number) { ended_by = number; }

static const int ending[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };
enum { ENDING = sizeof ending / sizeof *ending };

/* Before curses, which then leaves them alone. They wait from now on. */
static void take_signals(sigset_t *before)
{
    struct sigaction action = { .sa_handler = on_signal };
    sigset_t waiting;
    sigemptyset(&action.sa_mask);
    sigemptyset(&waiting);
    for (unsigned i = 0; i < ENDING; i++) {
        struct sigaction had;
        sigaddset(&waiting, ending[i]);
        if (sigaction(ending[i], NULL, &had) == 0 && had.sa_handler != SIG_IGN)
            sigaction(ending[i], &action, NULL);
    }
    sigaddset(&waiting, SIGWINCH);
    sigprocmask(SIG_BLOCK, &waiting, before);
}

static void give_signals(const sigset_t *before)
{
    for (unsigned i = 0; i < ENDING; i++) {
        struct sigaction had;
        if (sigaction(ending[i], NULL, &had) == 0 && had.sa_handler == on_signal) signal(ending[i], SIG_DFL);
    }
    if (ended_by) raise(ended_by);
    sigprocmask(SIG_SETMASK, before, NULL);
}

/* False: the program should end. */
static bool wait_for_key(const sigset_t *open)
{
    fd_set in;
    FD_ZERO(&in);
    FD_SET(STDIN_FILENO, &in);
    (void)pselect(STDIN_FILENO + 1, &in, NULL, NULL, NULL, open);
    return !ended_by;
}

/* ---- the screen ---------------------------------------------------------------------------------------- */

struct screen {
    struct curses curses;
    WINDOW *window; /* all of it */
    bool color, blocks;
};

static unsigned screen_rows(const struct screen *s) { return (unsigned)s->curses.getmaxy(s->window); }
static unsigned screen_columns(const struct screen *s) { return (unsigned)s->curses.getmaxx(s->window); }

/* ---- keys --------------------------------------------------------------------------------------------- */

static uint32_t key_of(bool special, wint_t c)
{
    static const struct {
        int code;
        uint32_t key;
    } keys[] = {
        { KEY_UP, PRESSED_UP },       { KEY_DOWN, PRESSED_DOWN },     { KEY_LEFT, PRESSED_LEFT },
        { KEY_RIGHT, PRESSED_RIGHT }, { KEY_PPAGE, PRESSED_PAGE_UP }, { KEY_NPAGE, PRESSED_PAGE_DOWN },
        { KEY_HOME, PRESSED_HOME },   { KEY_END, PRESSED_END },       { KEY_BACKSPACE, PRESSED_BACK },
        { KEY_ENTER, PRESSED_ENTER },
    };
    if (special) {
        for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
            if (keys[i].code == (int)c) return keys[i].key;
        return 0;
    }
    return c == '\r' || c == '\n'   ? (uint32_t)PRESSED_ENTER
           : c == 0x7F || c == '\b' ? (uint32_t)PRESSED_BACK
           : c == 0x1B              ? (uint32_t)PRESSED_ESCAPE
           : c < 0x10000            ? (uint32_t)c
                                    : 0;
}

/* Reads all keys that are there. False: there will be none, since the terminal is gone. */
static bool read_keys(struct browse *b, const struct screen *s)
{
    bool any = false;
    wint_t c;
    for (int got; !b->done && (got = s->curses.wget_wch(s->window, &c)) != ERR; any = true) {
        if (got == KEY_CODE_YES && c == KEY_RESIZE) browse_resize(b, screen_rows(s), screen_columns(s));
        else if (key_of(got == KEY_CODE_YES, c)) browse_key(b, key_of(got == KEY_CODE_YES, c));
    }
    return any;
}

/* ---- drawing --------------------------------------------------------------------------------------------- */

/* Colours of the sixteen of a terminal that are readable on black and on white. */
static void prepare_colors(const struct curses *x)
{
    static const struct {
        short style, color;
    } pairs[] = {
        { AS_BAR, COLOR_CYAN },    { AS_FOLDER, COLOR_BLUE }, { AS_GOOD, COLOR_GREEN },
        { AS_PART, COLOR_YELLOW }, { AS_BAD, COLOR_RED },     { AS_UNKNOWN, COLOR_MAGENTA },
    };
    if (x->start_color() == ERR || x->use_default_colors() == ERR) return;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        x->init_pair(pairs[i].style, pairs[i].color, -1);
}

static void put(void *ctx, unsigned row, unsigned column, enum browse_style style, const char *text)
{
    const struct screen *s = ctx;
    attr_t how =
        style == AS_SELECTED ? A_REVERSE
        : style == AS_FOLDER || style == AS_GOOD || style == AS_PART || style == AS_BAD || style == AS_UNKNOWN
            ? A_BOLD
            : A_NORMAL;
    bool paired =
        s->color && style != AS_TEXT && style != AS_SELECTED && style != AS_FAINT && style != AS_SHARE;
    s->curses.wattr_set(s->window, how, paired ? (short)style : 0, NULL);
    s->curses.mvwaddstr(s->window, (int)row, (int)column, text);
}

static int width_of(uint32_t c) { return wcwidth((wchar_t)c); }

/* Text is in UTF-8, which curses writes only in such a locale. True: it is the user's. */
static bool choose_locale(void)
{
    bool utf8 = setlocale(LC_CTYPE, "") && strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
    if (!utf8 && !setlocale(LC_CTYPE, "C.UTF-8")) setlocale(LC_CTYPE, "C");
    return utf8;
}

/* ---- the whole -------------------------------------------------------------------------------------------- */

const char *screen_lacks(void)
{
    const char *term = getenv("TERM");
    struct curses x;
    int found = 0;
    if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO)) return "its input and output must be a terminal";
    if (!term || !term[0]) return "TERM is not set, so the terminal is unknown";
    if (!curses_load(&x))
        return "ncursesw is not installed (Debian: libncursesw6; Fedora, Arch: ncurses; Alpine: "
               "ncurses-libs)";
    if (x.setupterm(NULL, STDOUT_FILENO, &found) == ERR)
        return found == 0 ? "terminfo has no description of the terminal that TERM names"
                          : "the descriptions of terminals (terminfo) are not installed";
    const char *cursor = x.tigetstr("cup");
    return cursor && cursor != (char *)-1 ? NULL : "the terminal that TERM names cannot place text";
}

static void begin_screen(struct screen *s)
{
    const struct curses *x = &s->curses;
    x->cbreak();
    x->noecho();
    x->nonl();
    x->keypad(s->window, TRUE);
    x->nodelay(s->window, TRUE);
    x->set_escdelay(25);
    x->curs_set(0);
    s->color &= x->has_colors();
    if (s->color) prepare_colors(x);
}

static bool is_gone(void)
{
    struct pollfd in = { .fd = STDIN_FILENO, .events = POLLIN };
    return poll(&in, 1, 0) > 0 && (in.revents & (POLLHUP | POLLERR | POLLNVAL));
}

static void walk(struct browse *b, const struct browse_pen *pen, const sigset_t *open)
{
    const struct screen *s = pen->ctx;
    while (!b->done) {
        s->curses.werase(s->window);
        browse_draw(b, pen);
        s->curses.wrefresh(s->window);
        if (!wait_for_key(open)) return;
        if (!read_keys(b, s) && is_gone()) return;
    }
}

/* On a screen that has begun. False: out of memory, or an overflow. */
static bool walk_through(struct screen *s, const struct browse_source *source, const sigset_t *open)
{
    struct browse b;
    struct browse_pen pen = { .ctx = s, .put = put, .wide = width_of, .blocks = s->blocks };
    s->window = s->curses.newwin(0, 0, 0, 0);
    if (!s->window) return false;
    begin_screen(s);
    bool made = browse_begin(&b, source, screen_rows(s), screen_columns(s));
    if (made) walk(&b, &pen, open);
    made &= !b.failed;
    browse_end(&b);
    s->curses.delwin(s->window);
    return made;
}

int screen_run(const struct browse_source *source, bool color)
{
    struct screen s = { .color = color };
    sigset_t before;
    if (!curses_load(&s.curses)) return EXIT_USAGE; /* screen_lacks() has said it */
    take_signals(&before);
    s.blocks = choose_locale();                             /* curses asks for it at the beginning */
    SCREEN *screen = s.curses.newterm(NULL, stdout, stdin); /* initscr() would end the program */
    bool made = screen && walk_through(&s, source, &before);
    if (screen) {
        s.curses.endwin();
        s.curses.delscreen(screen);
    }
    give_signals(&before);
    if (!made) say("numel browse: out of memory, or the sizes together do not fit in 64 bits");
    return made ? EXIT_AGREE : EXIT_UNREADABLE;
}

#endif
