#if SecretService
import Foundation
import KeychainServices
import TestSupport
import Testing

@testable import SecretServiceStore

/// A Secret Service that Lanyard does not know by its name. The one here does as oo7's documents say: a locked collection
/// has no items, because their attributes are encrypted, too.
@Suite("a Secret Service of another program")
struct OtherProviderTests {
    private static let provider = """
        import sys
        import dbus.service
        from dbus.mainloop.glib import DBusGMainLoop
        from gi.repository import GLib
        DBusGMainLoop(set_as_default=True)
        bus = dbus.SessionBus()
        SECRET, ROOT = "org.freedesktop.Secret.", "/org/freedesktop/secrets"
        LOGIN = ROOT + "/collection/Login"
        class Object(dbus.service.Object):
            def __init__(self, path, properties):
                super().__init__(bus, path)
                self.properties = properties
            @dbus.service.method(dbus.PROPERTIES_IFACE, "ss", "v")
            def Get(self, kind, name):
                return self.properties[name]
            @dbus.service.method(dbus.PROPERTIES_IFACE, "s", "a{sv}")
            def GetAll(self, kind):
                return self.properties
        class Service(Object):
            @dbus.service.method(SECRET + "Service", "s", "o")
            def ReadAlias(self, name):
                return LOGIN if name == "default" else "/"
            @dbus.service.method(SECRET + "Service", "ao", "aoo")
            def Unlock(self, objects):
                return dbus.Array([], "o"), ROOT + "/prompt/p1"
        class Collection(Object):
            @dbus.service.method(SECRET + "Collection", "a{ss}", "ao")
            def SearchItems(self, attributes):
                return dbus.Array([], "o")
        properties = {
            "Label": "Login", "Locked": True, "Items": dbus.Array([], "o"), "Created": dbus.UInt64(0),
            "Modified": dbus.UInt64(0)}
        objects = [Service(ROOT, {"Collections": dbus.Array([LOGIN], "o")})]
        objects += [Collection(path, properties) for path in (LOGIN, ROOT + "/aliases/default")]
        name = dbus.service.BusName("org.freedesktop.secrets", bus)
        print("ready", flush=True)
        GLib.MainLoop().run()
        """

    @Test func isNamedByItsFileAndNotEmptyWhileLocked() throws {
        let service = try PrivateSecretService(nil)
        let process = Process()
        let output = Foundation.Pipe()
        process.executableURL = URL(filePath: "/usr/bin/python3")
        process.arguments = ["-B", "-c", Self.provider]
        process.environment = service.environment
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else {
            print("skipped: there is no /usr/bin/python3")
            return
        }
        defer { process.terminate() }
        guard output.fileHandleForReading.availableData.starts(with: Data("ready".utf8)) else {
            print("skipped: there is no python3-dbus or python3-gi")
            return
        }
        let store = service.makeStore()
        let program = URL(filePath: "/usr/bin/python3").resolvingSymlinksInPath().lastPathComponent
        #expect(try store.place() == "collection 'Login' of \(program)")
        #expect(try store.isLocked())
        let keychain = Keychain(store, accessGroups: .all())
        expectFailure(.interactionNotAllowed) {
            _ = try keychain.copyMatching(
                Query(.internetPassword, .git("example.com"), returns: .data))
        }
        expectFailure(.interactionNotAllowed) {
            try keychain.add(.internetPassword, .git("new.example"), secret: Secret("s"))
        }
    }
}
#endif
