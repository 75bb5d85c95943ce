"""random-ini.py SEED COUNT: prints random INI files, each in a line in Base64, a blank, and what Python's configparser reads:
a list of section, key and value, without values of several lines; or `-` for a file that it refuses."""
import base64
import configparser
import json
import random
import sys

VALUES = ["x", "x y", "x=y", "x: y", "x # c", "x ; c", "#x", '"x"', "'x", "%x%", "", "[x]", "x\\", "\u00e9", "x\t"]
KEYS = ["a", "b c", "d-e", "F", "//h/:_g", "k.l", '"m"']


def line(random):
    kind, value = random.random(), random.choice(VALUES)
    if kind < 0.2:
        return random.choice(["[s]", "[t u]", '["v"]', "[ w ]"])
    if kind < 0.35:
        return random.choice(["# c", "; c", "", "  ", "  # c"])
    if kind < 0.45:
        return random.choice(["  ", "\t", "      "]) + value
    blanks = random.choice(["", "", "", "  "])
    return blanks + random.choice(KEYS) + random.choice([" = ", "=", ": ", ":", "\t=\t"]) + value


def main():
    seed, count = sys.argv[1:]
    source = random.Random(seed)
    for _ in range(int(count)):
        text = source.choice(["\n", "\n", "\r\n"]).join(["[first]"] + [line(source) for _ in range(source.randrange(1, 7))])
        parser = configparser.RawConfigParser(default_section="-", strict=False)
        parser.optionxform = str
        try:
            parser.read_string(text)
            expected = json.dumps(
                [[name.strip(), key, value] for name in parser.sections() for key, value in parser.items(name)
                 if "\n" not in value])
        except configparser.Error:
            expected = "-"
        print(base64.b64encode(text.encode()).decode(), expected)


main()
