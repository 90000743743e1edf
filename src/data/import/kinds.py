"""Kinds of values that a class accepts for a key: words joined by bars, as `key!null|int>0` in the tables.

    null bool true false object     that value
    text "gelu"                     any text; this text
    number whole                    any number; an integer, also as 32.0; both include true and false, as in Python
    float integral int              any number; an integer, also as 32.0; an integer, not 32.0; without true and false
    int>=0 int>0 int<>0             likewise for every numeric word: not negative; positive; not zero
    list                            any list; brackets have its length (3; 2+: at least; blocks: that of
                                    down_block_types) and the kinds of its items: list(3,float), list(1+,null,text)

Limits of numbers and lists of texts apply to items, too. formula/config_refused.c reads them.
"""

HEADER = """# key!KINDS            kinds of value that the class accepts: null, bool, true, false, object, text, "this text";
#                      number and whole (also 32.0), which include true and false; float, integral (also 32.0)
#                      and int (not 32.0), which do not; int>=0, int>0, int<>0 and the like; list, with its length
#                      (3, 2+, blocks: that of down_block_types) and the kinds of its items in brackets. Limits
#                      of numbers and texts apply to items, too."""


def number(no):
    """The word for the numbers that are not refused, without true and false."""
    kind = "int" if "float" in no else "integral" if "fraction" in no else "float"
    return kind + (">0" if {"negative", "zero"} <= no else ">=0" if "negative" in no else "<>0" if "zero" in no else "")


def items(no):
    """The kinds of items that a list accepts; empty if it accepts all."""
    refused = {"null": "null item", "bool": "bool", "float": "number", "text": "text item"}
    kinds = [kind for kind, why in refused.items() if why not in no]
    return [] if len(kinds) == len(refused) else kinds


def accepted(no, words=(), lengths=()):
    """KINDS, from the names of refused kinds (mkrefused.py), the only texts and the lengths of lists that are
    accepted."""
    out = [k for k in ("null", "object") if k not in no]
    if "bool" not in no: out += ["true"] if "false" in no else ["false"] if "true" in no else ["bool"]
    if words: out += ['"%s"' % w for w in words]
    elif "text" not in no: out.append("text")
    if "number" not in no: out.append(number(no))
    if "empty" in no and not any(n[0].isdigit() for n in lengths): lengths = [*lengths, "1+"]
    if "list" not in no: out.append("list" + ("(%s)" % ",".join([*lengths, *items(no)]) if lengths or items(no) else ""))
    return "|".join(out)
