"""The schemas of docs/schema: whether they accept a document, and which of their parts real documents cover."""
import json
import os
import warnings

import jsonschema

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "docs", "schema")


def load():
    out = {}
    for name in sorted(os.listdir(FOLDER)):
        with open(os.path.join(FOLDER, name), encoding="utf-8") as f: out[name] = json.load(f)
    return out


class Schemas:
    def __init__(self):
        self.files = load()
        self.validators = {}
        with warnings.catch_warnings(): # newer versions have another resolver, which Debian's lacks
            warnings.simplefilter("ignore")
            for name, schema in self.files.items():
                jsonschema.Draft202012Validator.check_schema(schema)
                resolver = jsonschema.RefResolver(name, schema, store=dict(self.files))
                self.validators[name] = jsonschema.Draft202012Validator(schema, resolver=resolver)

    def name_of(self, document):
        """The schema file for a document."""
        schema = document.get("schema") if isinstance(document, dict) else None
        if isinstance(schema, str) and schema.startswith("numel.") and schema.endswith("/1"): return schema[6:-2] + ".json"
        return "tensor.json"

    def wrong(self, document, name=None):
        """The first error as a sentence, or None."""
        name = name or self.name_of(document)
        if name not in self.validators: return "no schema %s" % name
        for error in self.validators[name].iter_errors(document):
            return "%s: %s" % ("/".join(map(str, error.absolute_path)), error.message[:300])
        return None

    # ---- coverage: parts are "show.json#/properties/files/items/properties/bytes", followed by the kind of value seen

    def follow(self, name, schema, where):
        while "$ref" in schema:
            target, pointer = schema["$ref"].split("#")
            name = target or name
            where = name + "#" + pointer
            schema = self.files[name]
            for step in pointer.strip("/").split("/"): schema = schema[step]
        return name, schema, where

    def branches(self, schema): return [(k, i, s) for k in ("oneOf", "anyOf") for i, s in enumerate(schema.get(k, []))]

    def parts(self):
        """All parts that a document could cover."""
        found, todo, done = set(), [(n, s, n + "#") for n, s in self.files.items() if n != "common.json"], set()
        while todo:
            name, schema, where = self.follow(*todo.pop())
            if where in done: continue
            done.add(where)
            types = schema.get("type", [])
            for t in ([types] if isinstance(types, str) else types): found.add("%s = %s" % (where, t)) if isinstance(types, list) else None
            for v in schema.get("enum", []): found.add("%s = %s" % (where, json.dumps(v)))
            for k, i, s in self.branches(schema):
                found.add("%s/%s/%d" % (where, k, i))
                todo.append((name, s, "%s/%s/%d" % (where, k, i)))
            for key, s in schema.get("properties", {}).items():
                found.add("%s/properties/%s" % (where, key))
                todo.append((name, s, "%s/properties/%s" % (where, key)))
            for key in ("items", "additionalProperties"):
                if isinstance(schema.get(key), dict):
                    found.add("%s/%s" % (where, key))
                    todo.append((name, schema[key], "%s/%s" % (where, key)))
        return found

    def see(self, document, seen):
        self.look(document, *self.follow(self.name_of(document), self.files[self.name_of(document)], self.name_of(document) + "#"), seen)

    def fits(self, name, schema, value):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return self.validators[name].evolve(schema=schema).is_valid(value)

    def look(self, value, name, schema, where, seen):
        if isinstance(schema.get("type"), list): seen.add("%s = %s" % (where, kind(value)))
        if "enum" in schema: seen.add("%s = %s" % (where, json.dumps(value)))
        for k, i, s in self.branches(schema):
            if not self.fits(name, s, value): continue
            seen.add("%s/%s/%d" % (where, k, i))
            self.look(value, *self.follow(name, s, "%s/%s/%d" % (where, k, i)), seen)
        rest = schema.get("additionalProperties")
        for key, v in value.items() if isinstance(value, dict) else ():
            at, s = "%s/properties/%s" % (where, key), schema.get("properties", {}).get(key)
            if s is None and isinstance(rest, dict): at, s = where + "/additionalProperties", rest
            if s is None: continue
            seen.add(at)
            self.look(v, *self.follow(name, s, at), seen)
        if isinstance(value, list) and "items" in schema:
            for v in value:
                seen.add(where + "/items")
                self.look(v, *self.follow(name, schema["items"], where + "/items"), seen)


def kind(value):
    if value is None: return "null"
    if isinstance(value, bool): return "boolean"
    if isinstance(value, int): return "integer"
    return {str: "string", list: "array", dict: "object"}.get(type(value), "number")
