"""random-pgpass.py SEED COUNT: prints random .pgpass files, each in a line in Base64, a blank, and what psql reads: a list of the
password that it sends, or `-` if it sends none. The first line of a file has the host, port, database and user that it asks for."""
import base64
import json
import os
import random
import socket
import struct
import subprocess
import sys
import tempfile
import threading

HOST, DATABASES, USERS = "127.0.0.1", ["db", "d:b"], ["ada", "a\\b"]
PASSWORDS = ["pw", "p\\:w", "p\\\\w", "p\\w", "p w ", " p", "p#w", "*", "\u00e9", "p:w", "", "p\\"]


def field(random, text):
    written = text.replace("\\", "\\\\").replace(":", "\\:")
    return random.choice([written, written, written, "*", "\\" + written if written[:1] not in "\\" else written])


def line(random, port):
    if random.random() < 0.15:
        return random.choice(["# c", "", "  ", " #c", "x:y", "::::"])
    fields = [HOST, str(port), random.choice(DATABASES), random.choice(USERS)]
    return random.choice(["", "", "", " "]) + ":".join([field(random, text) for text in fields] + [random.choice(PASSWORDS)])


def serve(listener, answers):
    while True:
        try:
            connection, _ = listener.accept()
        except OSError:
            return
        with connection, connection.makefile("rwb") as stream:
            size = struct.unpack("!i", stream.read(4))[0]
            stream.read(size - 4)
            stream.write(b"R" + struct.pack("!ii", 8, 3))
            stream.flush()
            if stream.read(1) == b"p":
                size = struct.unpack("!i", stream.read(4))[0]
                answers.append(stream.read(size - 4).rstrip(b"\0").decode())


def main():
    seed, count = sys.argv[1:]
    source = random.Random(seed)
    answers = []
    with tempfile.TemporaryDirectory() as folder, socket.create_server((HOST, 0)) as listener:
        port = listener.getsockname()[1]
        threading.Thread(target=serve, args=(listener, answers), daemon=True).start()
        path = os.path.join(folder, "pgpass")
        environment = {**os.environ, "PGPASSFILE": path, "PGSSLMODE": "disable", "PGGSSENCMODE": "disable", "HOME": folder}
        for _ in range(int(count)):
            database, user = source.choice(DATABASES), source.choice(USERS)
            question = "#" + "\t".join([HOST, str(port), database, user])
            text = source.choice(["\n", "\n", "\r\n"]).join(
                [question] + [line(source, port) for _ in range(source.randrange(1, 5))]) + "\n"
            with open(path, "w", encoding="utf-8", newline="", opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
                file.write(text)
            answers.clear()
            subprocess.run(
                ["psql", "--no-password", "--no-psqlrc", "--host=" + HOST, "--port=%d" % port, "--dbname=dbname=" + quoted(database),
                 "--username=" + user, "--command=SELECT 1"],
                env=environment, capture_output=True, timeout=30)
            expected = json.dumps(answers) if answers else "-"
            print(base64.b64encode(text.encode()).decode(), expected)


def quoted(text):
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


main()
