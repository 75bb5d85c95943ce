import Glibc
import KeychainServices
import LinuxSystem

@testable import KeychainPlugin

/// What a plugin answers, to a helper that opens it, looks for a login, adds one and changes it in a
/// transaction: whatever the plugin says, an item that is handed on is one that was asked for.
enum PluginClientTarget: FuzzTarget {
    static let name = "plugin-client"

    static func run(_ input: [UInt8]) {
        guard let sockets = try? SocketPair() else {
            fail("there are no sockets to be had")
        }
        let theirs = sockets.theirs.number
        // All at once, and then the end; what does not fit is cut.
        _ = input.withUnsafeBytes { bytes in
            send(theirs, bytes.baseAddress, bytes.count, Int32(MSG_DONTWAIT))
        }
        shutdown(theirs, Int32(SHUT_WR))
        let connection = Connection(sockets)
        let store = PluginStore(
            words: "the plugin", keychain: "login", settings: [("key", "value")],
            timeLimit: 1_000, isPromptAllowed: true
        ) { () throws(KeychainError) in
            connection.connection()
        }
        use(store)
        connection.end()
    }

    private static func use(_ store: PluginStore) {
        attempt { () throws(KeychainError) in try store.open() }
        attempt { () throws(KeychainError) in _ = try store.status() }
        find(store, ignoringCase: false)
        find(store, ignoringCase: true)
        var attributes = ItemAttributes()
        attributes.accessGroup = "git"
        attributes.server = "host.example"
        attempt { () throws(KeychainError) in
            try store.transaction { () throws(KeychainError) in
                let reference = try store.add(
                    .internetPassword, attributes, secret: Secret("secret"))
                let count = try store.update(
                    Query(reference), ItemAttributes(), secret: Secret("other"))
                check(count >= 0, "a count is less than 0")
            }
        }
        attempt { () throws(KeychainError) in
            _ = try store.delete(Query(.internetPassword, attributes, returns: []))
        }
        findCertificates(store)
    }

    private static func findCertificates(_ store: PluginStore) {
        var query = Query(.certificate, returns: [.attributes, .data])
        query.match.limit = .all
        query.match.subject = [.startsWith("A")]
        query.match.validOnDate = Timestamp(secondsSinceEpoch: 5)
        attempt { () throws(KeychainError) in
            try store.forEachMatch(query) { item in
                let attributes = item.attributes ?? ItemAttributes()
                check(
                    attributes.subjectValues?.contains { $0.bytes.first == 0x41 } == true
                        && attributes.notValidBefore.map { $0.secondsSinceEpoch <= 5 } == true
                        && attributes.notValidAfter.map { $0.secondsSinceEpoch >= 5 } == true,
                    "a certificate is handed on that was not asked for")
                return .next
            }
        }
    }

    private static func find(_ store: PluginStore, ignoringCase: Bool) {
        var query = Query(.internetPassword, returns: [.attributes, .data, .reference])
        query.attributes.server = "host.example"
        query.match.limit = .all
        query.match.caseInsensitive = ignoringCase ? true : nil
        var count = 0
        attempt { () throws(KeychainError) in
            try store.forEachMatch(query) { item in
                let server = item.attributes?.server?.lowercasedASCII
                check(server == "host.example", "an item is handed on that was not asked for")
                check(item.secret != nil, "an item is handed on without its secret")
                count += 1
                return count < 3 ? .next : .stop
            }
        }
    }

    /// Two sockets, of which the helper's gets into its hands once.
    private final class Connection {
        private let theirs: Int32
        private let ours: Int32

        init(_ sockets: consuming SocketPair) {
            // The pair ends here, and both sockets are to live on.
            ours = dup(sockets.ours.number)
            theirs = dup(sockets.theirs.number)
        }

        func connection() -> PluginConnection {
            PluginConnection(ChildProcess(connected: Descriptor(owning: dup(ours))))
        }

        func end() {
            close(ours)
            close(theirs)
        }
    }
}
