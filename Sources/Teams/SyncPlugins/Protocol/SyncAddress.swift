package import LanyardSecrets
package import SyncEngine

/// What a transport's program needs to know before it can work.
package struct SyncAddress: ~Copyable {
    /// The server's address, without a password.
    package let address: String
    /// The team.
    package let team: Identifier
    /// A folder of the team alone where the program may store files, private to the user. They can be made again.
    package let folder: String
    /// The password of a login, nil if there is none.
    package let password: Secret?

    /// Creates an address.
    package init(
        _ address: String, team: Identifier, folder: String, password: consuming Secret?
    ) {
        self.address = address
        self.team = team
        self.folder = folder
        self.password = password
    }

    /// Whether a host is this machine: `localhost` or an address of the loopback, and no name that begins like one.
    package static func isLoopback(_ host: String) -> Bool {
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return host == "localhost" || host == "::1"
            || parts.count == 4 && parts.first == "127" && parts.allSatisfy { UInt8($0) != nil }
    }

    /// Returns the name under which the password of an address is stored: without parameters, and with the first of
    /// several hosts alone.
    package static func login(of address: String) -> String {
        guard let start = address.firstRange(of: "://")?.upperBound else {
            return address
        }
        let place = address.prefix { $0 != "?" }
        guard start <= place.endIndex else {
            return address
        }
        let authority = place[start...].prefix { $0 != "/" }
        return "\(place[..<start])\(authority.prefix { $0 != "," })\(place[authority.endIndex...])"
    }

    /// Throws for a URL with a password in it.
    ///
    /// - Throws: ``Status/param``, without the password.
    package static func checkHasNoPassword(_ address: String) throws(KeychainError) {
        guard let start = address.firstRange(of: "://")?.upperBound else {
            return
        }
        // libpq takes a question mark and a number sign there for a part of the password.
        let authority = address[start...].prefix { $0 != "/" }
        let user = authority.lastIndex(of: "@").map { authority[..<$0] }
        let query = address.drop { $0 != "?" }.lowercased()
        guard user?.contains(":") != true, !query.contains("password=") else {
            throw KeychainError(
                .param, "the address has a password in it, where other programs can see it",
                hint:
                    "leave the password out: it belongs in the keychain, or where git or libpq look for it"
            )
        }
    }
}

/// A transport for a program of its own.
package protocol SyncServer: SyncTransport {
    /// Creates a transport without reaching the server.
    init(_ address: consuming SyncAddress) throws(KeychainError)

    /// The milliseconds that an operation may take.
    var timeLimit: Int64 { get set }

    /// Prepares the server, and gives accounts the rights that a device needs there.
    ///
    /// - Throws: ``Status/unimplemented`` if its kind gives no rights.
    func create(for accounts: [String]) throws(KeychainError)
}

extension SyncServer {
    /// Refuses.
    package func create(for accounts: [String]) throws(KeychainError) {
        throw KeychainError(
            .unimplemented, "rights are given on the server itself, not by Lanyard",
            hint: "leave out --for")
    }
}
