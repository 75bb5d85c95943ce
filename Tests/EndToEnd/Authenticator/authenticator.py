"""authenticator.py FOLDER NAME: a security key for tests, which speaks CTAPHID and CTAP2 on the socket FOLDER/NAME.

It has the extension hmac-secret (PIN protocol 1). Its keys come from its name, so another name is another device. Before
each touch it reads FOLDER/NAME.script: touch (the default), deny, timeout, silent, gone, pin or plain (no hmac-secret).
FOLDER/NAME.log gets a line for each command: make, get, or get-silently.
"""

import hashlib
import hmac
import os
import socket
import struct
import sys

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from fido2 import cbor

CURVE = ec.SECP256R1()
ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
CHANNEL = 0x01020304
OK, KEEPALIVE = 0, 0x3B
OPERATION_DENIED, NO_CREDENTIALS, USER_ACTION_TIMEOUT, PIN_REQUIRED = 0x27, 0x2E, 0x2F, 0x36
UNSUPPORTED = 0x2B


class Refused(Exception):
    def __init__(self, status):
        self.status = status


class Gone(Exception):
    pass


class Authenticator:
    def __init__(self, folder, name):
        self.path = os.path.join(folder, name)
        self.seed = hashlib.sha256(name.encode()).digest()
        self.agreement = ec.generate_private_key(CURVE)

    def script(self):
        try:
            with open(self.path + ".script") as file:
                return file.read().strip()
        except FileNotFoundError:
            return "touch"

    def log(self, word):
        with open(self.path + ".log", "a") as file:
            file.write(word + "\n")

    def derive(self, label, credential):
        return hmac.new(self.seed, label + credential, hashlib.sha256).digest()

    def key(self, credential):
        number = int.from_bytes(self.derive(b"key", credential), "big") % (ORDER - 1) + 1
        return ec.derive_private_key(number, CURVE)

    def touch(self):
        script = self.script()
        if script == "deny":
            raise Refused(OPERATION_DENIED)
        if script == "timeout":
            raise Refused(USER_ACTION_TIMEOUT)
        if script == "pin":
            raise Refused(PIN_REQUIRED)
        if script in ("gone", "silent"):
            raise Gone(script)

    def cose(self, public, algorithm):
        numbers = public.public_numbers()
        return {1: 2, 3: algorithm, -1: 1, -2: numbers.x.to_bytes(32, "big"), -3: numbers.y.to_bytes(32, "big")}

    def info(self):
        extensions = [] if self.script() == "plain" else ["hmac-secret"]
        return {1: ["FIDO_2_0"], 2: extensions, 3: bytes(16), 4: {"rk": True, "up": True, "plat": False}, 6: [1]}

    def make(self, request):
        self.log("make")
        wanted = request.get(6, {})
        if self.script() == "plain" and wanted:
            raise Refused(UNSUPPORTED)
        self.touch()
        nonce = os.urandom(16)
        party = hashlib.sha256(request[2]["id"].encode()).digest()
        credential = nonce + self.derive(b"id" + party, nonce)
        public = cbor.encode(self.cose(self.key(credential).public_key(), -7))
        data = party + bytes([0xC1 if wanted else 0x41]) + struct.pack(">I", 1) + bytes(16)
        data += struct.pack(">H", len(credential)) + credential + public
        if wanted:
            data += cbor.encode({"hmac-secret": True})
        signature = self.key(credential).sign(data + request[1], ec.ECDSA(hashes.SHA256()))
        return {1: "packed", 2: data, 3: {"alg": -7, "sig": signature}}

    def get(self, request):
        isAsked = request.get(5, {}).get("up", True)
        party = hashlib.sha256(request[1].encode()).digest()
        known = [
            entry["id"]
            for entry in request.get(3, [])
            if len(entry["id"]) == 48
            and hmac.compare_digest(entry["id"][16:], self.derive(b"id" + party, entry["id"][:16]))
        ]
        self.log("get" if isAsked else "get-silently")
        if not known:
            raise Refused(NO_CREDENTIALS)
        if isAsked:
            self.touch()
        credential = known[0]
        extensions = b""
        if 4 in request:
            extensions = cbor.encode({"hmac-secret": self.secret(request[4]["hmac-secret"], credential)})
        data = party + bytes([(0x80 if extensions else 0) | (1 if isAsked else 0)]) + struct.pack(">I", 2) + extensions
        signature = self.key(credential).sign(data + request[2], ec.ECDSA(hashes.SHA256()))
        return {1: {"type": "public-key", "id": credential}, 2: data, 3: signature}

    def secret(self, request, credential):
        theirs = request[1]
        peer = ec.EllipticCurvePublicNumbers(
            int.from_bytes(theirs[-2], "big"), int.from_bytes(theirs[-3], "big"), CURVE
        ).public_key()
        shared = hashlib.sha256(self.agreement.exchange(ec.ECDH(), peer)).digest()
        if not hmac.compare_digest(hmac.new(shared, request[2], hashlib.sha256).digest()[:16], request[3]):
            raise Refused(0x33)
        cipher = Cipher(algorithms.AES(shared), modes.CBC(bytes(16)))
        decryptor = cipher.decryptor()
        salt = decryptor.update(request[2]) + decryptor.finalize()
        output = hmac.new(self.derive(b"hmac-secret", credential), salt, hashlib.sha256).digest()
        encryptor = cipher.encryptor()
        return encryptor.update(output) + encryptor.finalize()

    def command(self, payload):
        code, request = payload[0], cbor.decode(payload[1:]) if len(payload) > 1 else {}
        try:
            if code == 0x04:
                answer = self.info()
            elif code == 0x06 and request[2] == 2:
                answer = {1: self.cose(self.agreement.public_key(), -25)}
            elif code == 0x01:
                answer = self.make(request)
            elif code == 0x02:
                answer = self.get(request)
            else:
                raise Refused(1)
        except Refused as refused:
            return bytes([refused.status])
        return bytes([OK]) + cbor.encode(answer)


def send(connection, channel, command, payload):
    frame = struct.pack(">IBH", channel, 0x80 | command, len(payload)) + payload[:57]
    connection.send(frame.ljust(64, b"\0"))
    for number, start in enumerate(range(57, len(payload), 59)):
        frame = struct.pack(">IB", channel, number) + payload[start : start + 59]
        connection.send(frame.ljust(64, b"\0"))


def serve(authenticator, connection):
    while True:
        frame = connection.recv(64)
        if not frame:
            return
        channel, command, length = struct.unpack(">IBH", frame[:7])
        payload = frame[7 : 7 + length]
        while len(payload) < length:
            payload += connection.recv(64)[5:][: length - len(payload)]
        command &= 0x7F
        if command == 0x06:
            send(connection, channel, command, payload + struct.pack(">IBBBBB", CHANNEL, 2, 1, 0, 0, 0x0C))
        elif command == 0x10:
            send(connection, channel, KEEPALIVE, b"\x02")
            try:
                send(connection, channel, command, authenticator.command(payload))
            except Gone as gone:
                if str(gone) == "silent":
                    connection.recv(64)
                return


def main():
    authenticator = Authenticator(sys.argv[1], sys.argv[2])
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    listener.bind(authenticator.path)
    listener.listen(8)
    print("ready", flush=True)
    while True:
        connection, _ = listener.accept()
        with connection:
            try:
                serve(authenticator, connection)
            except OSError:
                pass


main()
