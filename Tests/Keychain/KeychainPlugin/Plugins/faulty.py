#!/usr/bin/python3 -I
"""A plugin that answers as it should, but for one method: there it has the fault that is asked for.

Both stand in the file `fault`, which a test writes beside this one.
"""

import json
import os
import signal
import sys
import time

FOLDER = os.path.dirname(os.path.abspath(__file__))
with open(os.path.join(FOLDER, "fault"), encoding="utf-8") as FILE:
    METHOD, FAULT = FILE.read().splitlines()

REFERENCE = "00112233445566778899aabbccddeeff"
ATTRIBUTES = {"accessGroup": "login", "account": "a", "accessible": "ak"}
ITEM = {"reference": REFERENCE, "attributes": ATTRIBUTES, "secret": "cw=="}
STATUS = {"isLocked": False, "canPrompt": False, "place": "nowhere", "outlastsReboot": False}
RESULTS = {
    "hello": {"version": 1, "transactions": True},
    "status": STATUS,
    "add": {"reference": REFERENCE},
    "match": {"items": [ITEM], "walk": 1},
    "next": {"items": []},
    "update": {"count": 1},
    "delete": {"count": 1},
}


def note(name, text):
    with open(os.path.join(FOLDER, name), "w", encoding="utf-8") as file:
        file.write(text)


def write(data):
    os.write(1, data)


def write_for_ever(data):
    while True:
        write(data)


def line(**members):
    return json.dumps(members).encode() + b"\n"


def sleep():
    while True:
        time.sleep(60)


def ignore_ends():
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(number, signal.SIG_IGN)
    sleep()


def die(data=b""):
    write(data)
    os._exit(1)


def trickle():
    while True:
        write(b" ")
        time.sleep(0.01)


def close_output():
    """Our end is one socket, of which there are two descriptors."""
    import socket

    socket.socket(fileno=os.dup(1)).shutdown(socket.SHUT_WR)
    sleep()


def leave_child():
    """A child that keeps the socket open after its parent."""
    child = os.fork()
    if child == 0:
        sleep()
    note("child", str(child))
    os._exit(1)


def fault(number):
    item_without_secret = {"reference": REFERENCE, "attributes": ATTRIBUTES}
    other_item = ITEM | {"attributes": ATTRIBUTES | {"account": "b"}}
    answers = {
        "no JSON": b"\x00\xff\xfe\n",
        "empty line": b"\n",
        "no object": b"[]\n",
        "other id": line(id=number + 1, result={}),
        "no id": line(result={}),
        "neither": line(id=number),
        "both": line(id=number, result={}, error={"status": -50, "reason": "x"}),
        "array": line(id=number, result=[]),
        "null": line(id=number, result=None),
        "wrong types": line(id=number, result={"count": "1", "reference": 1, "items": {}}),
        "nothing in it": line(id=number, result={}),
        "success as error": line(id=number, error={"status": 0, "reason": "x"}),
        "error is a text": line(id=number, error="x"),
        "too deep": b'{"x":' + b"[" * 100_000 + b"\n",
        "other version": line(id=number, result={"version": 2}),
        "refuses version": line(id=number, error={"status": -25310, "reason": "x"}),
        "bad reference": line(id=number, result={"reference": "00"}),
        "negative count": line(id=number, result={"count": -1}),
        "no secret": line(id=number, result={"items": [item_without_secret]}),
        "other item": line(id=number, result={"items": [other_item]}),
        "too many items": line(id=number, result={"items": [ITEM] * 65}),
        "empty walk": line(id=number, result={"items": [], "walk": 1}),
        "bad secret": line(id=number, result={"items": [ITEM | {"secret": "!"}]}),
        "prompts twice": line(id=number, prompting=True) * 2,
        "prompts": line(id=number, prompting=True),
    }
    if FAULT in answers:
        write(answers[FAULT])
        sleep()
    faults = {
        "hangs": sleep,
        "ignores signals": ignore_ends,
        "dies": die,
        "dies in a line": lambda: die(b'{"id":'),
        "stops": lambda: os.kill(os.getpid(), signal.SIGSTOP),
        "huge line": lambda: write_for_ever(b" " * 65536),
        "trickles": trickle,
        "closes its output": close_output,
        "leaves a child": leave_child,
        "never stops talking": lambda: write_for_ever(line(id=number, prompting=True)),
    }
    faults[FAULT]()


def main():
    note("pid", str(os.getpid()))
    for text in sys.stdin.buffer:
        request = json.loads(text)
        if request["method"] == METHOD:
            fault(request["id"])
        write(line(id=request["id"], result=RESULTS.get(request["method"], {})))
        if FAULT == "deaf":
            sleep()


main()
