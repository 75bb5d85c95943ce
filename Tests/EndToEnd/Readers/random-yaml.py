"""random-yaml.py SEED COUNT: prints random files of YAML, each in a line in Base64, a blank, and its documents as PyYAML reads
them: null, a text, {"map": [[key, value] ...]} or {"seq": [...]}; or `-` for a file that it refuses."""
import base64
import json
import random
import sys

import yaml

TEXTS = [
    "a", "b c", "x: y", "- z", "#c", "a #b", "a#b", "'q'", '"dq"', "two\nlines", "one\n\ntwo", "end \n x", " lead",
    "tab\there", "", "null", "~", "true", "12", "1.5", "{", "}", "[a]", "a,b", "\u00e9", "\U0001F511", "\\n", "a\\b",
    "end:", "@x", "`y", "%z", "!t", "&a", "*b", "|", "> ", "- ", ": w", "---", "a\n", "a\n\n", " \n", "\n", "long " * 20,
    "=", "a: b: c"]
PIECES = [
    "a", "b", "key", "- ", "-\n", ": ", ":", "\n", "\n  ", "\n    ", "\n ", "  ", "\t", "'", '"', "''", "\\n", '\\"',
    "\\x41", "{", "}", "[", "]", ", ", ",", " #c\n", "# c\n", "|\n", "|-\n", ">\n", ">+\n", "|2\n", "---\n", "...\n",
    "\r\n", "~", "null", "x y", '"q"', "'s'", "k: v\n", "- i\n", "  k2: v2\n", "  - j\n", "{a: b}", "[c, d]", "%", "@"]


def value(random, depth=0):
    kind = random.random()
    if depth > 3 or kind < 0.5:
        return random.choice(TEXTS)
    if kind < 0.75:
        # Keys of several lines are not read.
        keys = [text for text in TEXTS if "\n" not in text and len(text) < 20]
        return {random.choice(keys) + str(random.randrange(99)): value(random, depth + 1)
                for _ in range(random.randrange(4))}
    return [value(random, depth + 1) for _ in range(random.randrange(4))]


def file(random):
    if random.random() < 0.3:
        return "".join(random.choice(PIECES) for _ in range(random.randrange(1, 14)))
    text = yaml.dump(
        value(random), default_flow_style=random.choice([None, True, False]), width=random.choice([20, 80, 1000]),
        allow_unicode=random.random() < 0.5, indent=random.choice([2, 4]), explicit_start=random.random() < 0.2,
        default_style=random.choice([None, None, None, '"', "'", "|", ">"]))
    for _ in range(random.choice([0, 0, 1, 2])):
        place = random.randrange(len(text) + 1)
        text = text[:place] + random.choice(PIECES) + text[place + random.choice([0, 0, 1]):]
    return text


def plain(node):
    if isinstance(node, yaml.ScalarNode):
        isNull = node.style is None and node.value in ("", "~", "null", "Null", "NULL")
        return None if isNull else node.value
    if isinstance(node, yaml.MappingNode):
        return {"map": [[key.value, plain(value)] for key, value in node.value]}
    return {"seq": [plain(item) for item in node.value]}


def main():
    seed, count = sys.argv[1:]
    source = random.Random(seed)
    for _ in range(int(count)):
        text = file(source)
        try:
            expected = json.dumps([plain(node) for node in yaml.compose_all(text, Loader=yaml.SafeLoader)])
        except (yaml.YAMLError, TypeError, AttributeError, ValueError):
            expected = "-"
        print(base64.b64encode(text.encode()).decode(), expected)


main()
