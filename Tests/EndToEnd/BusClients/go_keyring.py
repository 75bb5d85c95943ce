"""What go-keyring does, which gh and others store their tokens with: go_keyring.py set|get|delete SERVICE USER [SECRET]."""
import sys

from gi.repository import Gio, GLib

NAME, ROOT, PREFIX = "org.freedesktop.secrets", "/org/freedesktop/secrets", "org.freedesktop.Secret."
# gh waits that long for all of it, in milliseconds.
LIMIT = 3000


def main():
    action, service, user = sys.argv[1:4]
    bus = Gio.bus_get_sync(Gio.BusType.SESSION)

    def call(path, interface, method, arguments, kind):
        return bus.call_sync(NAME, path, interface, method, arguments, GLib.VariantType(kind),
                             Gio.DBusCallFlags.NONE, LIMIT, None)

    def secrets(path, interface, method, arguments, kind):
        return call(path, PREFIX + interface, method, arguments, kind).unpack()

    session = secrets(ROOT, "Service", "OpenSession", GLib.Variant("(sv)", ("plain", GLib.Variant("s", ""))), "(vo)")[1]
    collections = call(ROOT, "org.freedesktop.DBus.Properties", "Get",
                       GLib.Variant("(ss)", (PREFIX + "Service", "Collections")), "(v)").unpack()[0]
    login = ROOT + "/collection/login"
    collection = login if login in collections else ROOT + "/aliases/default"
    unlocked, prompt = secrets(ROOT, "Service", "Unlock", GLib.Variant("(ao)", ([collection],)), "(aoo)")
    assert (unlocked, prompt) == ([collection], "/"), (unlocked, prompt)
    attributes = {"username": user, "service": service}
    if action == "set":
        properties = {
            PREFIX + "Item.Label": GLib.Variant("s", f"Password for '{user}' on '{service}'"),
            PREFIX + "Item.Attributes": GLib.Variant("a{ss}", attributes),
        }
        secret = (session, b"", sys.argv[4].encode(), "text/plain; charset=utf8")
        item, prompt = secrets(collection, "Collection", "CreateItem",
                               GLib.Variant("(a{sv}(oayays)b)", (properties, secret, True)), "(oo)")
        assert item.startswith(login + "/") and prompt == "/", (item, prompt)
    else:
        found = secrets(collection, "Collection", "SearchItems", GLib.Variant("(a{ss})", (attributes,)), "(ao)")[0]
        if not found:
            sys.exit("secret not found in keyring")
        if action == "get":
            secret = secrets(found[0], "Item", "GetSecret", GLib.Variant("(o)", (session,)), "((oayays))")[0]
            print(bytes(secret[2]).decode())
        else:
            assert secrets(found[0], "Item", "Delete", None, "(o)") == ("/",)
    secrets(session, "Session", "Close", None, "()")


main()
