internal import LinuxSystem
internal import LanyardSecrets

/// The address of a PostgreSQL server, as libpq takes it, without a password.
struct PostgreSQLAddress: Sendable {
    let text: String
    /// The variables of libpq that complete it. What the address says itself goes before them.
    let variables: [String: String]

    /// What may follow the question mark.
    private static let parameters: Set<String> = [
        "sslmode", "sslrootcert", "sslcert", "sslkey", "sslcrl", "target_session_attrs", "host",
        "port",
    ]

    /// Checks an address.
    ///
    /// - Parameter home: The user's home folder, with the certificates that libpq looks for.
    /// - Throws: ``Status/param`` for one that would send the login unencrypted, or has other parameters.
    init(_ text: String, home: String?) throws(KeychainError) {
        guard let separator = text.firstRange(of: "://"),
            ["postgres", "postgresql"].contains(text[..<separator.lowerBound]),
            text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F })
        else {
            throw KeychainError(
                .param, "invalid address of a PostgreSQL server",
                hint: "use postgres://ACCOUNT@HOST/DATABASE")
        }
        let rest = text[separator.upperBound...]
        let query = rest.firstIndex(of: "?").map { rest[rest.index(after: $0)...] } ?? ""
        var values: [String: String] = [:]
        for parameter in query.split(separator: "&") {
            let parts = parameter.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, PostgreSQLAddress.parameters.contains(String(parts[0])),
                values.updateValue(String(parts[1]), forKey: String(parts[0])) == nil
            else {
                throw KeychainError(
                    .param, "the address has the parameter '\(parts[0])', which can't be used",
                    hint: "leave it out; lanyard-sync-postgresql(1) names the others")
            }
        }
        let authority = rest.prefix { !"/?".contains($0) }
        let hosts = (authority.split(separator: "@").last ?? "").split(separator: ",").map(
            PostgreSQLAddress.host)
        let named = values["host"]?.split(separator: ",").map(String.init) ?? []
        let all = hosts.filter { !$0.isEmpty } + named
        let isLocal = all.allSatisfy(PostgreSQLAddress.isLocal)
        if let mode = values["sslmode"], !isLocal,
            !["require", "verify-ca", "verify-full"].contains(mode)
        {
            throw KeychainError(
                .param, "sslmode=\(mode) may send the login unencrypted",
                hint: "use sslmode=verify-full")
        }
        self.text = text
        var variables = [
            "PGAPPNAME": "lanyard", "PGGSSENCMODE": "disable", "PGCONNECT_TIMEOUT": "10",
            "PGCLIENTENCODING": "UTF8", "LC_ALL": "C", "LANGUAGE": "",
        ]
        if !isLocal {
            variables["PGSSLMODE"] = "verify-full"
            // Without a certificate of the user's own, the system's authorities.
            let own = home.map { "\($0)/.postgresql/root.crt" }
            let system = "/etc/ssl/certs/ca-certificates.crt"
            if own.flatMap(SystemCalls.realPath) == nil, SystemCalls.realPath(system) != nil {
                variables["PGSSLROOTCERT"] = system
            }
        }
        if all.count > 1 {
            // A standby can't store anything.
            variables["PGTARGETSESSIONATTRS"] = "read-write"
        }
        self.variables = variables
    }

    /// Removes the port.
    private static func host(_ text: Substring) -> String {
        if text.hasPrefix("[") {
            return String(text.dropFirst().prefix { $0 != "]" })
        }
        return String(text.prefix { $0 != ":" })
    }

    /// The command by which the database's owner gives this address's account its rights.
    var preparation: String {
        guard let start = text.firstRange(of: "://")?.upperBound else {
            return "lanyard team init ADDRESS"
        }
        let authority = text[start...].prefix { !"/?".contains($0) }
        let account = authority.contains("@") ? authority.prefix { $0 != "@" } : "ACCOUNT"
        let hosts = authority.contains("@") ? authority.dropFirst(account.count + 1) : authority
        let owners = "\(text[..<start])OWNER@\(hosts)\(text[authority.endIndex...])"
        return "lanyard team init \(owners.shellQuoted) --for \(account)"
    }

    private static func isLocal(_ host: String) -> Bool {
        host.hasPrefix("/") || host.hasPrefix("@") || host.lowercased().hasPrefix("%2f")
            || SyncAddress.isLoopback(host)
    }
}
