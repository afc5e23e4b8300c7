"""Records what CPython 3.11 does with the programs of this folder.

    python3.11 record.py

rewrites programs.sum from programs.txtar, and the results in errors.jsonl and
single.jsonl for the sources that stand there; a row to add needs "src" only.
"""
import ast
import hashlib
import json
import re
import warnings

warnings.simplefilter("ignore")


def tree(src):
    text = ast.dump(ast.parse(src), include_attributes=True)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def row(src, mode):
    try:
        compile(src, "<t>", mode)
    except SyntaxError as e:
        at = [e.lineno or 0, e.offset or 0, e.end_lineno or 0, e.end_offset or 0]
        new = {"src": src, "cls": type(e).__name__, "msg": e.msg, "at": at}
        if e.text is not None:
            new["text"] = e.text
        if len(e.args) == 1:
            new["alone"] = True
        return new
    except (MemoryError, RecursionError, OverflowError, ValueError) as e:
        return {"src": src, "cls": type(e).__name__, "msg": str(e), "at": [0, 0, 0, 0]}
    return {"src": src, "sum": tree(src)} if mode == "exec" else {"src": src}


def rewrite(name, mode_of):
    rows = [json.loads(line) for line in open(name)]
    with open(name, "w") as out:
        for r in rows:
            new = row(r["src"], mode_of(r))
            if "mode" in r:
                new["mode"] = r["mode"]
            out.write(json.dumps(new, ensure_ascii=False, separators=(",", ":")) + "\n")


rewrite("errors.jsonl", lambda r: "exec")
rewrite("single.jsonl", lambda r: r["mode"])
parts = re.split(r"^-- (.*) --\n", open("programs.txtar", newline="").read(), flags=re.M)
with open("programs.sum", "w") as out:
    for name, src in zip(parts[1::2], parts[2::2]):
        out.write(f"{tree(src.encode())} {name}\n")
