// Package numel shows what is really in a model checkpoint. It wraps libnumel by cgo, which reads numel.h itself:
// pkg-config must find numel.
//
// A Model is what a path stands for. It is judged by the first call that needs it. All values are copies: they stay valid
// after Close. What cannot be read is an *Error; a checkpoint that was read and is wrong has a verdict, and causes that
// say why.
//
// Goroutines may share a Model: they take turns.
package numel

/*
#cgo pkg-config: numel
#include <numel.h>
#include <stdlib.h>
#include <string.h>

static const char *environment(void *ctx, const char *name) { (void)ctx; return getenv(name); }
static numel_options make_options(bool strict)
{
    numel_options options = NUMEL_INIT(numel_options);
    options.strict = strict;
    options.environment = environment;
    return options;
}
static numel_knowledge make_knowledge(void) { numel_knowledge k = NUMEL_INIT(numel_knowledge); return k; }
static numel_counts make_counts(void) { numel_counts c = NUMEL_INIT(numel_counts); return c; }
static numel_facts make_facts(void) { numel_facts f = NUMEL_INIT(numel_facts); return f; }
static numel_line make_line(void) { numel_line l = NUMEL_INIT(numel_line); return l; }
static numel_tensor make_tensor(void) { numel_tensor t = NUMEL_INIT(numel_tensor); return t; }

struct text { char *p; size_t n; };
static bool append(void *ctx, const void *p, size_t bytes)
{
    struct text *t = ctx;
    char *grown = realloc(t->p, t->n + bytes + 1);
    if (!grown) return false;
    t->p = grown;
    memcpy(grown + t->n, p, bytes);
    t->n += bytes;
    return true;
}
static numel_rc write_json(const numel_report *r, struct text *t, numel_error *e)
{
    numel_style style = NUMEL_INIT(numel_style);
    style.format = NUMEL_JSON;
    return numel_report_write(r, &style, append, t, e);
}
*/
import "C"

import (
	"fmt"
	"strings"
	"sync"
	"unsafe"
)

// Code says why something could not be read. Its String is the library's name of it: "TRUNCATED".
type Code int

const (
	NoMem     Code = C.NUMEL_E_NOMEM
	Usage     Code = C.NUMEL_E_USAGE
	Stopped   Code = C.NUMEL_E_STOPPED
	IO        Code = C.NUMEL_E_IO
	Changed   Code = C.NUMEL_E_CHANGED
	Format    Code = C.NUMEL_E_FORMAT
	Version   Code = C.NUMEL_E_VERSION
	Truncated Code = C.NUMEL_E_TRUNCATED
	Range     Code = C.NUMEL_E_RANGE
	Overflow  Code = C.NUMEL_E_OVERFLOW
	Syntax    Code = C.NUMEL_E_SYNTAX
	Duplicate Code = C.NUMEL_E_DUPLICATE
	Type      Code = C.NUMEL_E_TYPE
	Limit     Code = C.NUMEL_E_LIMIT
	UTF8      Code = C.NUMEL_E_UTF8
	Config    Code = C.NUMEL_E_CONFIG
	Arch      Code = C.NUMEL_E_ARCH
	Spec      Code = C.NUMEL_E_SPEC
	Key       Code = C.NUMEL_E_KEY
)

func (c Code) String() string { return C.GoString(C.numel_rc_name(C.numel_rc(c))) }

// Kind says what a path stands for.
type Kind int

const (
	IsModel         Kind = C.NUMEL_IS_MODEL
	IsPipeline      Kind = C.NUMEL_IS_PIPELINE
	IsSeveral       Kind = C.NUMEL_IS_SEVERAL
	IsAdapter       Kind = C.NUMEL_IS_ADAPTER
	IsConfiguration Kind = C.NUMEL_IS_CONFIGURATION
	IsTraining      Kind = C.NUMEL_IS_TRAINING
	IsVocabulary    Kind = C.NUMEL_IS_VOCABULARY
	IsImatrix       Kind = C.NUMEL_IS_IMATRIX
	IsProjector     Kind = C.NUMEL_IS_PROJECTOR
)

func (k Kind) String() string {
	return C.GoString(C.numel_subject_kind_name(C.numel_subject_kind(k)))
}

// State is a verdict. Later ones are worse.
type State int

const (
	Unknown    State = C.NUMEL_STATE_UNKNOWN
	Agrees     State = C.NUMEL_STATE_AGREES
	InPart     State = C.NUMEL_STATE_IN_PART
	Disagrees  State = C.NUMEL_STATE_DISAGREES
	Incomplete State = C.NUMEL_STATE_INCOMPLETE
	Damaged    State = C.NUMEL_STATE_DAMAGED
)

func (s State) String() string { return C.GoString(C.numel_state_name(C.numel_state(s))) }

// Ground is what a statement about a tensor rests on.
type Ground int

const (
	OnNothing Ground = C.NUMEL_ON_NOTHING
	OnName    Ground = C.NUMEL_ON_NAME
	OnShape   Ground = C.NUMEL_ON_SHAPE
)

// NotKnown is a count that cannot be had.
const NotKnown uint64 = C.NUMEL_NOT_KNOWN

// Nowhere is an offset when no byte is to blame.
const Nowhere uint64 = C.NUMEL_NOWHERE

// Error is what could not be read.
type Error struct {
	Code   Code
	Offset uint64 // the first byte at fault, or Nowhere
	File   string // may be empty
	What   string
}

func (e *Error) Error() string {
	switch {
	case e.File == "":
		return e.What
	case e.Offset == Nowhere:
		return Escape(e.File) + ": " + e.What
	}
	return fmt.Sprintf("%s:%d: %s", Escape(e.File), e.Offset, e.What)
}

// check makes an error of what a call returned.
func check(rc C.numel_rc, e *C.numel_error) error {
	if rc == C.NUMEL_OK {
		return nil
	}
	return &Error{Code(rc), uint64(e.offset), C.GoString(&e.file[0]), C.GoString(&e.what[0])}
}

// LibraryVersion is the version of the library that was linked.
func LibraryVersion() string { return C.GoString(C.numel_version()) }

// Escape gives a text that others wrote as it may be shown on a terminal.
func Escape(text string) string {
	in := C.CString(text)
	defer C.free(unsafe.Pointer(in))
	size := C.numel_escape(nil, 0, in, C.size_t(len(text))) + 1
	out := (*C.char)(C.malloc(size))
	defer C.free(unsafe.Pointer(out))
	C.numel_escape(out, size, in, C.size_t(len(text)))
	return C.GoString(out)
}

// Cause is why a verdict is not Agrees.
type Cause struct {
	Code, Text string
	Explains   uint64 // differences and findings that follow from it; 0: not counted
	State      State
}

// Judgement is what a path stands for, and what it comes to. Texts are empty where they are unknown.
type Judgement struct {
	Kind         Kind
	Verdict      State
	Architecture string // as its files call it: untrusted
	Name         string // its class or product
	KnownBy      string
	Causes       []Cause // the truest first
}

// Counts are the ways of counting a model, each of which may be NotKnown.
type Counts struct {
	Tensors, Stored, Logical, Unique, Parameters, Buffers, NonEmbedding, Active uint64
}

// Facts are about a model as a whole.
type Facts struct {
	Architecture string // the specification that was used
	Expression   string // the parameters in symbols; without a formula Why says why
	Formula      uint64 // or NotKnown
	Why          string
	Quantization string
	Adapter      string
	Unexplained  int64 // elements of what is unknown
}

// Line is a line of the statement.
type Line struct {
	Code, Cause, Detail string
	Tensors             uint64
	Elements            int64
	Unchecked           uint64 // those of its tensors that rest on their names
	Ground              Ground
	Explains            bool // its elements are accounted for; else the line is what is wrong
}

// Tensor is a tensor of a checkpoint.
type Tensor struct {
	Name     string // any bytes: Escape it before it is shown
	DType    string
	Shape    []uint64 // outermost first
	Elements uint64
	Bytes    uint64
	Offset   uint64 // in its file, or Nowhere: slices of several files are joined in it
	File     uint32
}

// Options are what is known of a model besides its files.
type Options struct {
	Config       string   // the config.json to use, in place of the one beside the model
	Architecture string   // the specification to use
	Base         string   // the model that an adapter was made for
	Sets         []string // "hidden_size=4096"
	Values       bool     // read the data where it decides what a tensor is
	Strict       bool     // warnings count as errors
}

// Model is what a path stands for: a model, several that are one, an adapter, a configuration.
type Model struct {
	mutex   *sync.Mutex // of the whole that it belongs to
	subject *C.numel_subject
	members []*Model
}

// texts are strings of C's, freed together.
type texts []unsafe.Pointer

func (t *texts) add(s string) *C.char {
	p := C.CString(s)
	*t = append(*t, unsafe.Pointer(p))
	return p
}

func (t *texts) optional(s string) *C.char {
	if s == "" {
		return nil
	}
	return t.add(s)
}

func (t *texts) free() {
	for _, p := range *t {
		C.free(p)
	}
}

// list puts words into memory of C's, which may point to texts of C's.
func (t *texts) list(words []string) **C.char {
	if len(words) == 0 {
		return nil
	}
	p := C.calloc(C.size_t(len(words)), C.size_t(unsafe.Sizeof((*C.char)(nil))))
	*t = append(*t, p)
	list := unsafe.Slice((**C.char)(p), len(words))
	for i, w := range words {
		list[i] = t.add(w)
	}
	return (**C.char)(p)
}

// Open gives the model that a path stands for: a folder, a file, a shard index, a name such as "org/model". Close it.
// Options may be nil.
func Open(path string, options *Options) (*Model, error) {
	if options == nil {
		options = &Options{}
	}
	all := append([]string{path, options.Config, options.Architecture, options.Base}, options.Sets...)
	for _, s := range all {
		if strings.IndexByte(s, 0) >= 0 {
			return nil, &Error{Usage, Nowhere, "", "a path or text holds a NUL byte"}
		}
	}
	var t texts
	defer t.free()
	known, how := C.make_knowledge(), C.make_options(C.bool(options.Strict))
	known.config = t.optional(options.Config)
	known.architecture = t.optional(options.Architecture)
	known.base = t.optional(options.Base)
	known.sets, known.set_count = t.list(options.Sets), C.size_t(len(options.Sets))
	known.values = C.bool(options.Values)
	var e C.numel_error
	var subject *C.numel_subject
	if err := check(C.numel_subject_open(&subject, t.add(path), &known, &how, &e), &e); err != nil {
		return nil, err
	}
	return own(&sync.Mutex{}, subject), nil
}

func own(mutex *sync.Mutex, subject *C.numel_subject) *Model {
	return &Model{mutex: mutex, subject: subject}
}

// Close frees what the library holds, the members too. A second call does nothing.
func (m *Model) Close() error {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	m.close()
	return nil
}

func (m *Model) close() {
	for _, member := range m.members {
		member.close()
	}
	C.numel_subject_close(m.subject)
	m.subject, m.members = nil, nil
}

// locked calls f with the subject, judged.
func (m *Model) locked(f func(j *C.numel_judgement, e *C.numel_error) error) error {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if m.subject == nil {
		return &Error{Usage, Nowhere, "", "the model is closed"}
	}
	var e C.numel_error
	var j *C.numel_judgement
	if err := check(C.numel_subject_judge(m.subject, &j, &e), &e); err != nil {
		return err
	}
	return f(j, &e)
}

// Judgement says what it is, what it comes to, and why.
func (m *Model) Judgement() (out Judgement, err error) {
	err = m.locked(func(j *C.numel_judgement, _ *C.numel_error) error {
		out = Judgement{Kind: Kind(j.kind), Verdict: State(j.verdict), Architecture: C.GoString(j.architecture),
			Name: C.GoString(j.name), KnownBy: C.GoString(j.known_by)}
		for _, c := range unsafe.Slice(j.causes, j.cause_count) {
			out.Causes = append(out.Causes, Cause{C.GoString(c.code), C.GoString(c.text), uint64(c.explains), State(c.state)})
		}
		return nil
	})
	return out, err
}

// Counts gives the ways of counting it.
func (m *Model) Counts() (out Counts, err error) {
	err = m.locked(func(_ *C.numel_judgement, e *C.numel_error) error {
		c := C.make_counts()
		if err := check(C.numel_subject_counts(m.subject, &c, e), e); err != nil {
			return err
		}
		out = Counts{uint64(c.tensors), uint64(c.stored), uint64(c.logical), uint64(c.unique), uint64(c.parameters),
			uint64(c.buffers), uint64(c.non_embedding), uint64(c.active)}
		return nil
	})
	return out, err
}

// Facts are about the model as a whole.
func (m *Model) Facts() (out Facts, err error) {
	err = m.locked(func(_ *C.numel_judgement, e *C.numel_error) error {
		f := C.make_facts()
		if err := check(C.numel_subject_about(m.subject, &f, e), e); err != nil {
			return err
		}
		out = Facts{C.GoString(f.architecture), C.GoString(f.expression), uint64(f.formula), C.GoString(f.why_text),
			C.GoString(f.quantization), C.GoString(f.adapter), int64(f.unexplained)}
		return nil
	})
	return out, err
}

// Statement gives the lines of the statement. Their elements add up to what is stored.
func (m *Model) Statement() (out []Line, err error) {
	err = m.locked(func(_ *C.numel_judgement, e *C.numel_error) error {
		facts := C.make_facts()
		if err := check(C.numel_subject_about(m.subject, &facts, e), e); err != nil {
			return err
		}
		for i := C.size_t(0); i < facts.lines; i++ {
			l := C.make_line()
			if err := check(C.numel_line_at(m.subject, i, &l, e), e); err != nil {
				return err
			}
			out = append(out, Line{C.GoString(l.code), C.GoString(l.cause), C.GoString(l.detail), uint64(l.tensors),
				int64(l.elements), uint64(l.unchecked), Ground(l.ground), bool(l.explains)})
		}
		return nil
	})
	return out, err
}

// Tensors iterates over the tensors, in the order of their files; an error is the last pair. From Go 1.23 on:
//
//	for tensor, err := range model.Tensors() { ... }
func (m *Model) Tensors() func(yield func(Tensor, error) bool) {
	return func(yield func(Tensor, error) bool) {
		for i := 0; ; i++ {
			tensor, more, err := m.tensor(i)
			if err == nil && !more || !yield(tensor, err) || err != nil {
				return
			}
		}
	}
}

func (m *Model) tensor(i int) (out Tensor, more bool, err error) {
	err = m.locked(func(_ *C.numel_judgement, e *C.numel_error) error {
		var checkpoint *C.numel_checkpoint
		t := C.make_tensor()
		if err := check(C.numel_subject_checkpoint(m.subject, &checkpoint, e), e); err != nil {
			return err
		}
		if C.size_t(i) >= C.numel_tensor_count(checkpoint) {
			return nil
		}
		more = true
		if err := check(C.numel_tensor_at(checkpoint, C.size_t(i), &t, e), e); err != nil {
			return err
		}
		name := unsafe.Slice((*byte)(unsafe.Pointer(t.name.p)), t.name.n)
		out = Tensor{string(name), C.GoString(t.dtype.name), nil, uint64(t.elements),
			uint64(t.bytes), uint64(t.offset), uint32(t.file)}
		for _, d := range unsafe.Slice(t.dims, t.ndim) {
			out.Shape = append(out.Shape, uint64(d))
		}
		return nil
	})
	return out, more, err
}

// Members are the models that are one, each by itself; none of a model that is one by itself. They are closed with it.
func (m *Model) Members() (out []*Model, err error) {
	err = m.locked(func(_ *C.numel_judgement, e *C.numel_error) error {
		var count C.size_t
		if err := check(C.numel_subject_members(m.subject, &count, e), e); err != nil || len(m.members) > 0 {
			return err
		}
		for i := C.size_t(0); i < count; i++ {
			var member *C.numel_subject
			if err := check(C.numel_subject_member(&member, m.subject, i, e), e); err != nil {
				return err
			}
			m.members = append(m.members, own(m.mutex, member))
		}
		return nil
	})
	return append(out, m.members...), err
}

// ReconcileJSON is the document that `numel reconcile --json` prints.
func (m *Model) ReconcileJSON() (out []byte, err error) {
	err = m.locked(func(_ *C.numel_judgement, e *C.numel_error) error {
		var report *C.numel_report
		var text C.struct_text
		defer func() { C.free(unsafe.Pointer(text.p)) }()
		if err := check(C.numel_report_reconcile(&report, m.subject, nil, e), e); err != nil {
			return err
		}
		defer C.numel_report_free(report)
		if err := check(C.write_json(report, &text, e), e); err != nil {
			return err
		}
		out = append(out, unsafe.Slice((*byte)(unsafe.Pointer(text.p)), text.n)...)
		return nil
	})
	return out, err
}
