"""random-kubeconfig.py SEED COUNT: prints random kubeconfig files, each in a line in Base64, a blank, and what kubectl reads:
a list of each user's name and token; or `-` for a file that it refuses."""
import base64
import json
import os
import random
import subprocess
import sys
import tempfile

TEXTS = ["tok", "a b", "a: b", "a #b", "#a", "'a'", '"a"', "a\\b", "{a}", "[a]", "- a", "é", "a,b", "&a", "*a", "!a", "%a", "@a", "1x", "a\tb"]


def scalar(random, text, indentation):
    blanks = " " * indentation
    kind = random.randrange(5)
    if kind == 0:
        return text
    if kind == 1:
        return "'" + text.replace("'", "''") + "'"
    if kind == 2:
        return json.dumps(text, ensure_ascii=random.random() < 0.5)
    if kind == 3 and indentation:
        return random.choice(["|", "|-", ">", ">-", "|2"]) + "\n" + blanks + "  " + text
    return random.choice(["!!str ", ""]) + json.dumps(text)


def user(random, name):
    token = random.choice(TEXTS)
    kind = random.randrange(4)
    if kind == 0:
        return "- {name: %s, user: {token: %s}}" % (scalar(random, name, 0), json.dumps(token))
    if kind == 1:
        return "- name: %s\n  user: {\"token\": %s,\n    'username': x}" % (scalar(random, name, 2), json.dumps(token))
    if kind == 2:
        return "-   user:\n      # of work\n      token: %s\n    name: %s" % (scalar(random, token, 6), name)
    return "- name: %s\n  user:\n    token: %s" % (name, scalar(random, token, 4))


def kubeconfig(random):
    users = [user(random, name) for name in random.sample(["ada", "bob", "a.b@c", "x-1", "u_2"], random.randrange(1, 4))]
    parts = ["kind: Config", "apiVersion: v1", "users:\n" + "\n".join(users), random.choice(["clusters: []", "# end", "contexts: null"])]
    random.shuffle(parts)
    return random.choice(["", "", "---\n", "# mine\n"]) + "\n".join(parts) + random.choice(["\n", "", "\n...\n"])


def main():
    seed, count = sys.argv[1:]
    source = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "config")
        for _ in range(int(count)):
            text = kubeconfig(source)
            with open(path, "w", encoding="utf-8", newline="") as file:
                file.write(text)
            run = subprocess.run(
                ["kubectl", "config", "view", "--raw", "--output=json", "--kubeconfig=" + path], capture_output=True, timeout=30)
            expected = "-"
            if run.returncode == 0:
                users = json.loads(run.stdout)["users"] or []
                expected = json.dumps([[user["name"], user["user"].get("token", "")] for user in users])
            print(base64.b64encode(text.encode()).decode(), expected)


main()
