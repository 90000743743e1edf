// Package numel shows what is really in a model checkpoint. It wraps libnumel with cgo; pkg-config must find numel.
//
// The first call that needs the files of a Model reads and judges them. All values are copies and stay valid after Close.
// An *Error means that something could not be read; a checkpoint that can be read but is wrong has a verdict and causes.
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

// Code tells why something could not be read. It prints as its name: "TRUNCATED".
type Code int

const (
	NoMem     Code = C.NUMEL_E_NOMEM
	Usage     Code = C.NUMEL_E_USAGE
	Stopped   Code = C.NUMEL_E_STOPPED
	IO        Code = C.NUMEL_E_IO
	Changed   Code = C.NUMEL_E_CHANGED
	Network   Code = C.NUMEL_E_NETWORK
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

// Kind tells what a model is.
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

// Ground tells how well a tensor is known: by nothing, by its name, by its shape and type.
type Ground int

const (
	OnNothing Ground = C.NUMEL_ON_NOTHING
	OnName    Ground = C.NUMEL_ON_NAME
	OnShape   Ground = C.NUMEL_ON_SHAPE
)

// NotKnown is a count that is unknown.
const NotKnown uint64 = C.NUMEL_NOT_KNOWN

// Nowhere is the offset of an error that concerns no byte.
const Nowhere uint64 = C.NUMEL_NOWHERE

// Error means that something could not be read.
type Error struct {
	Code   Code
	Offset uint64 // the first bad byte, or Nowhere
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

// check turns the result of a call into an error.
func check(rc C.numel_rc, e *C.numel_error) error {
	if rc == C.NUMEL_OK {
		return nil
	}
	return &Error{Code(rc), uint64(e.offset), C.GoString(&e.file[0]), C.GoString(&e.what[0])}
}

// LibraryVersion is the version of the library that was linked.
func LibraryVersion() string { return C.GoString(C.numel_version()) }

// Escape escapes untrusted text for a terminal.
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
	Explains   uint64 // how many differences and findings follow from it; 0 if not counted
	State      State
}

// Judgement tells what a model is, and its verdict. Unknown texts are empty.
type Judgement struct {
	Kind         Kind
	Verdict      State
	Architecture string // the name in its files: untrusted
	Name         string // the class or product
	KnownBy      string
	Causes       []Cause // the most likely first
}

// Counts are the ways of counting a model. Each may be NotKnown.
type Counts struct {
	Tensors, Stored, Logical, Unique, Parameters, Buffers, NonEmbedding, Active uint64
}

// Facts are about a model as a whole.
type Facts struct {
	Architecture string // the specification that was used
	Expression   string // the parameters in symbols; if empty, Why tells the reason
	Formula      uint64 // or NotKnown
	Why          string
	Quantization string
	Adapter      string
	Unexplained  int64 // elements that nothing explains
}

// Line is a line of the statement.
type Line struct {
	Code, Cause, Detail string
	Tensors             uint64
	Elements            int64
	Unchecked           uint64 // how many of its tensors are known by name only
	Ground              Ground
	Explains            bool // false if this line is what is wrong
}

// Tensor is a tensor of a checkpoint.
type Tensor struct {
	Name     string // any bytes: Escape it before you print it
	DType    string
	Shape    []uint64 // outermost first
	Elements uint64
	Bytes    uint64
	Offset   uint64 // in its file; Nowhere if it is joined from slices in several files
	File     uint32
}

// Options tell how to open a model, and what is known about it besides its files.
type Options struct {
	Config       string   // a config.json to use instead of the model's own
	Architecture string   // the specification to use
	Base         string   // the model that an adapter was made for
	Sets         []string // "hidden_size=4096"
	Values       bool     // read the data where it decides what a tensor is
	Strict       bool     // warnings count as errors
}

// Model is a model, a pipeline, an adapter or a configuration.
type Model struct {
	mutex   *sync.Mutex // shared by a pipeline and its members
	subject *C.numel_subject
	members []*Model
}

// texts are C strings that are freed together.
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

// list puts words into C memory, which may point to C strings.
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

// Open opens a folder, a file, a shard index, or a name such as "org/model". Options may be nil. The caller must Close the
// model.
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

// Close frees the model and its members. A second call does nothing.
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

// Judgement returns what it is, the verdict, and its causes.
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

// Counts returns the ways of counting it.
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

// Facts returns facts about the model as a whole.
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

// Statement returns the lines of the statement. Their elements add up to what is stored.
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

// Tensors iterates over the tensors in the order of their files. An error ends it. From Go 1.23 on:
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

// Members returns the models of a pipeline; none for a single model. Close closes them too.
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

// ReconcileJSON returns the document that `numel reconcile --json` prints.
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
