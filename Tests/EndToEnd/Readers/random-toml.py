"""random-toml.py SEED COUNT: prints random files of TOML, each in a line in Base64, a blank, and its values as Python's tomllib
reads them: a list of pairs, the names with U+0001 between them, and a text, or null for another value; or `-` for a file that it
refuses. The items of a list have empty names."""
import base64
import json
import random
import sys
import tomllib

TEXTS = [
    '"a"', "'b c'", '"x\\"y"', '"\\u00e9\\t"', "'a\\b'", '"""x"""', '"""\nx\\\n   y\n"""', "'''\na\r\nb'''", '""', '"#"',
    "'''q''''", '""""q"""""', "'[x]'", "'\u00e9'", '"\\U0001F511"']
OTHERS = [
    "1", "-1.5", "true", "1979-05-27T07:32:00Z", "1979-05-27 07:32:00", "0x1F", "inf", "1_000", "07:32:00"]
KEYS = ["a", "b", "c-d", '"k.l"', "'m n'", "a.b", "x . y", "1", '"\\u0041"', "tok_en"]
SIGNS = ['"', "'", "[", "]", "{", "}", "=", ".", "#", "\n", " ", ",", "\\", "a"]


def value(random, depth=0):
    kind = random.random()
    if kind < 0.55 or depth > 2:
        return random.choice(TEXTS)
    if kind < 0.7:
        return random.choice(OTHERS)
    items = [value(random, depth + 1) for _ in range(random.randrange(4))]
    if kind < 0.85:
        return "[" + random.choice(["", " ", "\n"]) + random.choice([",", ", ", " ,\n ", ", # c\n"]).join(items) + " ]"
    return "{ " + ", ".join(f"k{number} = {item}" for number, item in enumerate(items)) + " }"


def line(random):
    kind, key = random.random(), random.choice(KEYS)
    if kind < 0.35:
        return f"[{key}]" if kind < 0.2 else f"[[{key}]] # c"
    if kind < 0.45:
        return random.choice(["# c", "", "  "])
    return random.choice(["", "  "]) + key + random.choice([" = ", "="]) + value(random) + random.choice(["", " # c", "\t"])


def file(random):
    text = random.choice(["\n", "\n", "\r\n"]).join(line(random) for _ in range(random.randrange(1, 7)))
    if random.random() < 0.3:
        place = random.randrange(len(text) + 1)
        text = text[:place] + random.choice(SIGNS) + text[place + random.choice([0, 1]):]
    return text


def pairs(node, names=()):
    if isinstance(node, dict):
        return [pair for name, item in node.items() for pair in pairs(item, (*names, name))]
    if isinstance(node, list):
        return [pair for item in node for pair in pairs(item, (*names, ""))]
    return [["\u0001".join(names), node if isinstance(node, str) else None]]


def main():
    seed, count = sys.argv[1:]
    source = random.Random(seed)
    for _ in range(int(count)):
        text = file(source)
        try:
            expected = json.dumps(pairs(tomllib.loads(text)))
        except (tomllib.TOMLDecodeError, ValueError):
            expected = "-"
        print(base64.b64encode(text.encode()).decode(), expected)


main()
