"""Writes the tree as a specification that a person can continue.

Known keys get the usual letters (E, L, H, ...), those of nested configurations with a letter in front.
Tensors get their kind by rank and class of module: weight and bias are one line, a batch norm with its
buffers is one `bn`; neighbours with one condition share an `if`. The base model is inside one prefix,
which the class decides.
"""
import re

from samples import BASE
from tree import Block, Leaf, Turns

LETTERS = dict(hidden_size="E", d_model="E", n_embd="E", embed_dim="E", num_hidden_layers="L", n_layer="L", num_layers="L",
               num_attention_heads="H", num_key_value_heads="K", head_dim="D", intermediate_size="F", vocab_size="V",
               max_position_embeddings="P", num_channels="C", patch_size="p", image_size="z", hidden_sizes="W", embed_dims="W",
               depths="depth", num_experts="N", num_local_experts="N", n_routed_experts="N", moe_intermediate_size="Fe",
               type_vocab_size="Y", tie_word_embeddings="tied", qkv_bias="qb", attention_bias="ab", mlp_bias="mb",
               ffn_dim="F", encoder_layers="Le", decoder_layers="Ld", encoder_ffn_dim="Fe", decoder_ffn_dim="Fd")
SIDES = dict(text="t", vision="v", audio="a", backbone="b", decoder="d", encoder="n", qformer="q")
ROLES = [(r"(q_proj|query|q_lin|to_q|wq)$", "attn.q"), (r"(k_proj|key|k_lin|to_k|wk)$", "attn.k"),
         (r"(v_proj|value|v_lin|to_v|wv)$", "attn.v"), (r"(qkv|qkv_proj|query_key_value|in_proj)$", "attn.qkv"),
         (r"(attn|attention)\.(o_proj|out_proj|out_lin|proj|dense)$|attention\.output\.dense$", "attn.o"),
         (r"gate_up_proj$", "mlp.gate_up"), (r"gate_proj$", "mlp.gate"), (r"up_proj$|fc1$|intermediate\.dense$|linear1$|lin1$", "mlp.up"),
         (r"down_proj$|fc2$|output\.dense$|linear2$|lin2$", "mlp.down"), (r"(embed_tokens|word_embeddings|wte)$", "embed.tok"),
         (r"(position_embeddings?|embed_positions|wpe)$", "embed.pos"), (r"token_type_embeddings$", "embed.type"),
         (r"(input_layernorm|layernorm_before|layer_norm1|norm1)$", "norm.attn"),
         (r"(post_attention_layernorm|layernorm_after|layer_norm2|norm2)$", "norm.mlp"), (r"^lm_head$", "head"),
         (r"^(classifier|score)$", "head.class")]
STATISTICS = ["running_mean", "running_var", "num_batches_tracked"]


class Line:
    """A tensor line, or a condition or loop around lines."""

    def __init__(self, name, condition=None, leaf=None, kind=None, bias=None, turns=None, items=None):
        self.name, self.condition, self.leaf, self.kind, self.bias = name, condition, leaf, kind, bias
        self.turns, self.items = turns, items


def both(a, b):
    return " && ".join(dict.fromkeys(c for c in (a, b) if c)) or None


def lines_of(items, before):
    """The tree as lines with full names; conditions of blocks are moved down to single lines."""
    out, leaves = [], [i for i in items if isinstance(i, Leaf)]
    named = {leaf.name: leaf for leaf in leaves if sum(other.name == leaf.name for other in leaves) == 1}
    norm = before and {"weight", "bias", *STATISTICS} <= set(named) and len(named["weight"].dims) == 1
    if norm:
        out.append(Line(before[:-1], named["weight"].condition, named["weight"], "bn"))
        leaves = [leaf for leaf in leaves if leaf.name not in ("weight", "bias", *STATISTICS)]
        named = {}
    taken = set()
    for leaf in leaves:
        if id(leaf) in taken: continue
        kind = module_kind(leaf) if before and named.get("weight") is leaf else None
        bias = named.get("bias") if kind in ("lin", "norm") else None
        if bias and bias.dims == leaf.dims[:1] and not (leaf.tied or bias.tied or bias.buffer):
            taken.add(id(bias))
            shown = "true" if bias.condition in (None, leaf.condition) else bias.condition
            out.append(Line(before[:-1], leaf.condition, leaf, kind, shown))
        elif kind: out.append(Line(before[:-1], leaf.condition, leaf, kind))
        else: out.append(Line(before + leaf.name, leaf.condition, leaf, "buf" if leaf.buffer else "raw"))
    first = {id(leaf): n for n, leaf in enumerate(i for i in items if isinstance(i, Leaf))}
    out.sort(key=lambda l: first.get(id(l.leaf), 0))
    for item in items:
        if isinstance(item, Block): out += block_lines(item, before)
        elif isinstance(item, Turns): out.append(Line(before, None, turns=item, items=lines_of(item.items, "")))
    return out


def module_kind(leaf):
    if leaf.buffer: return None
    if len(leaf.dims) == 2: return "emb" if "Embedding" in leaf.module else "lin"
    return "norm" if len(leaf.dims) == 1 else None


def block_lines(block, before):
    inner = lines_of(block.items, before + block.name + ".")
    if not block.condition: return inner
    if len(inner) == 1 and inner[0].leaf:
        inner[0].condition = both(block.condition, inner[0].condition)
        return inner
    return [Line("", block.condition, items=inner)]


class Writer:
    def __init__(self, model_type, classes, base, prefixes, defaults=lambda key: None, match="model_type", arch=None):
        """classes: their names; base: the class without a head; prefixes: by class, the prefix of base names"""
        self.model_type, self.classes, self.base, self.prefixes, self.defaults = model_type, classes, base, prefixes, defaults
        self.match, self.arch = match, arch or re.sub(r"\W", "_", model_type)
        self.out, self.roles, self.by_name = [], {}, {}

    def text(self, tree, parts, about):
        lines = lines_of(tree, "")
        inside = [l for l in lines if self.begins(l, BASE + ".")]
        if inside: self.under_prefix(inside)
        self.emit([l for l in lines if l not in inside], 0)
        self.out += parts
        body = "\n".join(self.out)
        body = re.sub(r"@@(.*?)@@", lambda m: self.by_name.get(m.group(1)) or "embed.tok", body)
        head, body = self.symbols(body)
        start = [f"# {w}" for w in about] + ["arch " + self.arch, f"match hf {self.match} in {self.model_type}"]
        return "\n".join(start + head + [body]) + "\n"

    # ---- lines

    def begins(self, line, start):
        if line.leaf or line.turns: return line.name.startswith(start) or line.name + "." == start
        return all(self.begins(l, start) for l in line.items)

    def under_prefix(self, lines):
        self.strip(lines, BASE + ".")
        named = {p for p in self.prefixes.values() if p}
        if not named: self.emit(lines, 0); return
        # most types have one prefix: the classes that have it
        (prefix,) = named if len(named) == 1 else (sorted(named)[0],)
        with_it = [c for c, p in self.prefixes.items() if p]
        chosen = f'class() == "{with_it[0]}"' if len(with_it) == 1 else f'in(class(), "{" ".join(with_it)}")'
        self.out.append(f'prefix {{{chosen} ? "{prefix}." : ""}} -')
        self.emit(lines, 1)
        self.out.append("end")

    def strip(self, lines, start):
        for l in lines:
            if l.leaf or l.turns: l.name = l.name[len(start):]
            else: self.strip(l.items, start)

    def emit(self, lines, depth):
        pad, i = " " * depth, 0
        while i < len(lines):
            line = lines[i]
            if line.turns: self.loop(line, depth); i += 1; continue
            run = [line]
            while line.condition and i + len(run) < len(lines) and lines[i + len(run)].condition == line.condition: run.append(lines[i + len(run)])
            i += len(run)
            if len(run) == 1 and line.leaf: self.tensor(line, depth, line.condition); continue
            self.out.append(f"{pad}if {line.condition}")
            for l in run:
                if l.leaf: self.tensor(l, depth + 1, None)
                else: self.emit(l.items, depth + 1)
            self.out.append(pad + "end")

    def loop(self, line, depth):
        pad, turns = " " * depth, line.turns
        inner, name = line.items, line.name + "{" + turns.var + "}."
        self.out.append(f"{pad}for {turns.var} in {turns.low} .. {turns.count}")
        bare = any(l.leaf and l.name == "{" + turns.var + "}" for l in inner)  # a module itself, not its contents
        if not bare and all(self.begins(l, "{" + turns.var + "}.") for l in inner):
            self.strip(inner, "{" + turns.var + "}.")
            self.out.append(f"{pad} prefix {name} -")
            self.emit(inner, depth + 2)
            self.out.append(pad + " end")
        else:
            self.prepend(inner, line.name)
            self.emit(inner, depth + 1)
        self.out.append(pad + "end")

    def prepend(self, lines, start):
        for l in lines:
            if l.leaf or l.turns: l.name = start + l.name
            else: self.prepend(l.items, start)

    def tensor(self, line, depth, condition):
        role = self.role(line)
        self.by_name[re.sub(r"\{\w\}", "#", line.name + ("" if line.kind in ("raw", "buf") else ".weight"))] = role
        dims = "".join(" " + (f"({d})" if " " in d and not (d.startswith("(") and d.endswith(")")) else d) for d in line.leaf.dims)
        words = ""
        if line.bias: words += f" bias={grouped(line.bias)}"
        if line.leaf.tied: words += f" tied={grouped(line.leaf.tied)} of=@@{line.leaf.of}@@"
        if condition: words += f" if={grouped(condition)}"
        self.out.append(f"{' ' * depth}{line.kind:4} {role} {line.name} -{dims}{words}")

    def role(self, line):
        path = re.sub(r"\{\w\}\.?|(?<![a-z])\d+\.?", "", line.name)
        path = re.sub(r"\.(weight|bias)$", "", path).strip(".")
        side = "v." if re.search("vision|visual|image|pixel|patch", path) else "a." if re.search("audio|speech", path) else ""
        for pattern, known in ROLES:
            if re.search(r"(^|\.)(?:" + pattern.lstrip("^") + ")" if not pattern.startswith("(") else r"(^|[.])" + pattern, path):
                role = side + known
                break
        else:
            words = [re.sub(r"\W|_", "", w) for w in path.split(".")]
            role = side + ".".join(w for w in words[-2:] if w).lower() or "misc"
        if "." not in role and role != "head": role = "misc." + role
        if line.name.endswith(".bias"): role += ".bias"
        n = self.roles[role] = self.roles.get(role, 0) + 1
        return role if n == 1 else f"{role}.{n}"

    # ---- symbols

    def symbols(self, body):
        head, defaults, taken = [], [], set("ijklmn") | {"e", "T", "opt", "gguf"}
        for key in dict.fromkeys(re.findall("⟦(.*?)⟧", body)):
            symbol = re.sub(r"\W", "_", self.symbol(key))
            while symbol in taken: symbol += "_"
            taken.add(symbol)
            value = f'cfg("{key}")' if key != "num_labels" else "labels()"
            word = self.defaults(key)
            if word is not None: defaults.append(f"default {key} {word}")
            head.append(f"let {symbol} = {value}")
            body = body.replace("⟦" + key + "⟧", symbol)
        if "class()" in body:
            head.insert(0, f'let cls = class() == "" ? "{self.base}" : class()')
            body = body.replace("class()", "cls")
        return defaults + head, body

    @staticmethod
    def symbol(key):
        *path, last = key.split(".")
        before = "".join(SIDES.get(w.replace("_config", ""), w[:2]) for w in path)
        return before + LETTERS[last] if last in LETTERS else "_".join(filter(None, [before, last]))


def grouped(text):
    return f"({text})" if " " in text else text
