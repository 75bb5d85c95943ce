"""seed.py NAME: stores in the Secret Service what libsecret's mock NAME has, and prints a line for each item: its path
in the mock and its path here. LANYARD names the program, PASSPHRASE_FILE the passphrase of what is locked."""
import os
import subprocess
import sys

import dbus

PREFIX = "org.freedesktop.Secret."
ROOT = "/org/freedesktop/secrets"
MOCK, PRIMES = "org.mock.Schema", "org.mock.Primes"

# Collections, whether they have a passphrase, without which they can't be locked, and items: the last part of the path, label, secret, schema and attributes.
NORMAL = {
    "english": (True, [
        ("1", "Item One", "111", MOCK, {"number": "1", "string": "one", "even": "false"}),
        ("2", "Item Two", "222", MOCK, {"number": "2", "string": "two", "even": "true"}),
        ("3", "Item Three", "333", MOCK, {"number": "3", "string": "three", "even": "false"}),
    ]),
    "spanish": (True, [
        ("10", "", "111", MOCK, {"number": "1", "string": "uno", "even": "false"}),
        ("20", "", "222", MOCK, {"number": "2", "string": "dos", "even": "true"}),
        ("30", "", "3333", MOCK, {"number": "3", "string": "tres", "even": "false"}),
    ]),
    "german": (True, [
        ("300", "", "333", PRIMES, {"number": "3", "string": "drei", "prime": "true"}),
        ("400", "", "444", PRIMES, {"number": "4", "string": "vier", "prime": "false"}),
        ("500", "", "555", PRIMES, {"number": "5", "string": "fuenf", "prime": "true"}),
        ("600", "", "666", PRIMES, {"number": "6", "string": "sechs", "prime": "false"}),
    ]),
    "empty": (False, []),
}
ONE = ("item", "", "uno", None, {"number": "1", "string": "one", "even": "false"})
TWO = ("confirm", "", "dos", None, {"number": "2", "string": "two", "even": "true"})
THREE = ("locked", "", "tres", None, {"number": "3", "string": "three", "even": "false"})
MOCKS = {
    "normal": NORMAL,
    # These two are added to the first.
    "delete": {"todelete": (False, [ONE, TWO]), "twodelete": (True, [THREE])},
    "lock": {"lockone": (True, [ONE, TWO]), "lockprompt": (True, [THREE])},
}


def lanyard(*arguments):
    subprocess.run([os.environ["LANYARD"], *arguments], check=True, stdout=subprocess.DEVNULL)


def main():
    collections = MOCKS[sys.argv[1]]
    bus = dbus.SessionBus()

    def interface(path, name):
        return dbus.Interface(bus.get_object("org.freedesktop.secrets", path, introspect=False), PREFIX + name)

    def create(collection, label, secret, schema, attributes):
        if schema:
            attributes = {**attributes, "xdg:schema": schema}
        properties = {
            PREFIX + "Item.Label": dbus.String(label),
            PREFIX + "Item.Attributes": dbus.Dictionary(attributes, signature="ss"),
        }
        value = dbus.Struct((session, dbus.ByteArray(), dbus.ByteArray(secret.encode()), "text/plain"), signature="oayays")
        return interface(f"{ROOT}/collection/{collection}", "Collection").CreateItem(
            dbus.Dictionary(properties, signature="sv"), value, False)[0]

    def create_in_order(collection, items):
        # Some tests sort items by their paths, which are random here.
        while True:
            paths = [create(collection, *item) for _, *item in items]
            if paths == sorted(paths):
                return paths
            for path in paths:
                interface(path, "Item").Delete()

    for name in collections:
        lanyard("keychain", "create", name)
    # The service looks for new keychains with each call.
    _, session = interface(ROOT, "Service").OpenSession("plain", dbus.String("", variant_level=1))
    for name, (has_passphrase, items) in collections.items():
        for item, path in zip(items, create_in_order(name, items)):
            print(f"{ROOT}/collection/{name}/{item[0]} {path}")
        if has_passphrase:
            lanyard("passphrase", "set", "--yes", "--keychain", name, "--new-passphrase-file",
                    os.environ["PASSPHRASE_FILE"])
    if "english" in collections:
        lanyard("keychain", "default", "english")
        lanyard("config", "set", "keychain.english.label", "Collection One")


main()
