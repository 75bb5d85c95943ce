internal import KeychainServices

/// The server, database and user that a program of PostgreSQL is asked for.
///
/// libpq itself gets the password with its host, port and database: a wrong guess here sends nothing elsewhere. The
/// corresponding pages are "Database Connection Control Functions" and "The Password File".
package struct PostgreSQLTarget: Equatable, Sendable {
    /// The hosts with their ports, as the password file names them; nil if a service file names them.
    package private(set) var servers: [Server]?
    /// The database, nil if it is unknown.
    package private(set) var database: String?
    /// The user that the arguments or variables name, nil for that of the system.
    package private(set) var user: String?
    /// Whether a service file may name the user, and what else is nil.
    package let hasService: Bool

    /// What of the arguments gives it another password than the file that Lanyard passes: a word of libpq, nil without one.
    package let ownPassword: String?

    /// A host and a port.
    package struct Server: Equatable, Sendable {
        package let host: String
        package let port: String
    }

    /// Reads what a program is asked for.
    ///
    /// - Parameters:
    ///   - program: The program's name.
    ///   - words: Its arguments, without its name.
    ///   - systemUser: The user's name, libpq's default.
    ///   - variable: Returns the value of a variable, nil for one that is not set.
    package init(
        _ program: String, _ words: [String], systemUser: String, _ variable: (String) -> String?
    ) {
        let arguments = Arguments(program, words)
        var settings = arguments.settings
        if let text = settings["dbname"], let connection = PostgreSQLTarget.connection(text) {
            settings["dbname"] = nil
            settings.merge(connection) { $1 }
        }
        let variables = [
            "host": "PGHOST", "hostaddr": "PGHOSTADDR", "port": "PGPORT", "dbname": "PGDATABASE",
            "user": "PGUSER", "service": "PGSERVICE",
        ]
        hasService = settings["service"] != nil || variable("PGSERVICE") != nil
        for (name, place) in variables where settings[name] == nil {
            settings[name] = variable(place).flatMap { $0.isEmpty ? nil : $0 }
        }
        user = settings["user"]
        ownPassword = ["password", "passfile"].first { settings[$0]?.isEmpty == false }
        if !hasService || settings["host"] != nil || settings["hostaddr"] != nil {
            servers = PostgreSQLTarget.servers(
                settings, port: program == "ysqlsh" ? "5433" : "5432")
        }
        if arguments.connectsToDatabase, !hasService || settings["dbname"] != nil {
            database = settings["dbname"] ?? user ?? systemUser
        }
    }

    /// Whether it is meant by a scope: host, port and database as a line of the password file has them.
    package func matches(_ scope: String) -> Bool {
        let fields = PostgreSQLTarget.fields(scope)
        guard fields.count == 3 else {
            return false
        }
        func has(_ field: (text: String, isAny: Bool), _ value: String) -> Bool {
            field.isAny || field.text == value
        }
        let isServer =
            servers?.contains { server in
                let isSocket = server.host.hasPrefix("/") || server.host.hasPrefix("@")
                return has(fields[1], server.port)
                    && (has(fields[0], server.host) || isSocket && fields[0].text == "localhost")
            } ?? true
        return isServer && (database.map { has(fields[2], $0) } ?? true)
    }

    /// What it is, as a line of the password file has it: `HOST:PORT:DATABASE`, and the user in a sentence.
    package var shown: String {
        let names =
            servers.map { $0.map { "\($0.host):\($0.port)" }.joined(separator: ", ") }
            ?? "a service"
        return names + (database.map { ":\($0)" } ?? "") + (user.map { " as \($0)" } ?? "")
    }

    /// The scope of its own line in the password file; nil if the server or the database is unknown, or one of several.
    package var line: String? {
        guard let servers, servers.count == 1, let database else {
            return nil
        }
        return [servers[0].host, servers[0].port, database].map { field in
            field.replacing("\\", with: "\\\\").replacing(":", with: "\\:")
        }.joined(separator: ":")
    }

    private static func servers(_ settings: [String: String], port usual: String) -> [Server] {
        let hosts = list(settings["host"] ?? settings["hostaddr"] ?? "localhost")
        let ports = list(settings["port"] ?? usual)
        return hosts.enumerated().map { index, host in
            let port = ports.count == 1 ? ports[0] : index < ports.count ? ports[index] : ""
            return Server(
                host: host.isEmpty ? "localhost" : host, port: port.isEmpty ? usual : port)
        }
    }

    private static func list(_ text: String) -> [String] {
        text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }

    /// Whether all that one scope is for, another one is for, too; nil means any server.
    package static func covers(_ scope: String?, _ other: String?) -> Bool {
        guard let scope else {
            return true
        }
        guard let other else {
            return false
        }
        let ones = fields(scope)
        let others = fields(other)
        return ones.count == others.count
            && zip(ones, others).allSatisfy { $0.isAny || !$1.isAny && $0.text == $1.text }
    }

    /// Splits a scope at colons without a backslash.
    static func fields(_ scope: String) -> [(text: String, isAny: Bool)] {
        var fields = [(text: "", isAny: scope.hasPrefix("*:"))]
        var isEscaped = false
        var rest = scope[...]
        while let character = rest.popFirst() {
            switch character {
            case "\\" where !isEscaped: isEscaped = true
            case ":" where !isEscaped:
                fields.append((text: "", isAny: rest == "*" || rest.hasPrefix("*:")))
            default:
                fields[fields.count - 1].text.append(character)
                isEscaped = false
            }
        }
        return fields
    }

    /// Returns the settings of a connection string, nil for the name of a database.
    private static func connection(_ text: String) -> [String: String]? {
        for scheme in ["postgresql://", "postgres://"] where text.hasPrefix(scheme) {
            return address(text.dropFirst(scheme.count))
        }
        return text.contains("=") ? keywords(text) : nil
    }

    private static func address(_ text: Substring) -> [String: String] {
        var settings: [String: String] = [:]
        let halves = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let places = halves[0].split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        var authority = places[0]
        if let at = authority.lastIndex(of: "@") {
            let user = authority[..<at].prefix { $0 != ":" }
            settings["user"] = decoded(user)
            settings["password"] = String(authority[user.endIndex..<at].dropFirst())
            authority = authority[authority.index(after: at)...]
        }
        var hosts: [String] = []
        var ports: [String] = []
        for server in authority.split(separator: ",", omittingEmptySubsequences: false) {
            let colon = server.lastIndex(of: ":").flatMap { server[$0...].contains("]") ? nil : $0 }
            let host = server[..<(colon ?? server.endIndex)]
            hosts.append(decoded(host.hasPrefix("[") ? host.dropFirst().dropLast() : host))
            ports.append(colon.map { String(server[server.index(after: $0)...]) } ?? "")
        }
        settings["host"] = hosts.allSatisfy(\.isEmpty) ? nil : hosts.joined(separator: ",")
        settings["port"] = ports.allSatisfy(\.isEmpty) ? nil : ports.joined(separator: ",")
        if places.count == 2, !places[1].isEmpty {
            settings["dbname"] = decoded(places[1])
        }
        for pair in halves.count == 2 ? halves[1].split(separator: "&") : [] {
            let words = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            settings[decoded(words[0])] = words.count == 2 ? decoded(words[1]) : ""
        }
        return settings
    }

    private static func decoded(_ text: Substring) -> String {
        Array(text.utf8).span.percentDecoded.map { String(decoding: $0, as: UTF8.self) }
            ?? String(text)
    }

    /// Reads `host=db port=5432 dbname='a b'`.
    private static func keywords(_ text: String) -> [String: String] {
        var settings: [String: String] = [:]
        var rest = Substring(text)
        while let equals = rest.firstIndex(of: "=") {
            let name = rest[..<equals].filter { !$0.isWhitespace }
            rest = rest[rest.index(after: equals)...].drop(while: \.isWhitespace)
            let isQuoted = rest.first == "'"
            rest = rest.dropFirst(isQuoted ? 1 : 0)
            var value = ""
            while let character = rest.popFirst() {
                if character == "\\", let next = rest.popFirst() {
                    value.append(next)
                } else if isQuoted ? character == "'" : character.isWhitespace {
                    break
                } else {
                    value.append(character)
                }
            }
            settings[name] = value
        }
        return settings
    }
}

/// The arguments of a program of PostgreSQL, as far as they name a server.
private struct Arguments {
    /// `host`, `port`, `user`, `dbname` and the first further words' meaning.
    private(set) var settings: [String: String] = [:]
    /// Whether the database of the arguments is the one to connect to.
    private(set) var connectsToDatabase: Bool

    /// The short options with a value, by program.
    private static let valued = [
        "pg_dump": "deEfFhjnNpStTUZ", "pg_dumpall": "dEfhlpSU", "pg_restore": "dfFhIjLnNpPStTU",
        "createdb": "DElOThpU", "dropdb": "hpU", "pgcli": "hpUudD",
    ]
    private static let longs = [
        "host": "host", "port": "port", "username": "user", "user": "user", "dbname": "dbname",
        "database": "dbname",
    ]
    /// psql's other long options with a value.
    private static let otherLongs: Set<String> = [
        "command", "file", "field-separator", "log-file", "output", "pset", "record-separator",
        "table-attr", "variable", "set",
    ]

    /// Returns the long option that a start of it means: getopt_long takes any that is unique.
    private static func full(_ name: String) -> String {
        guard longs[name] == nil, !otherLongs.contains(name) else {
            return name
        }
        // pg_dump's --data-only has the start of pgcli's --database.
        let known = ["host", "port", "username", "dbname"] + otherLongs.sorted()
        return known.first { $0.hasPrefix(name) } ?? name
    }

    init(_ program: String, _ words: [String]) {
        let isDatabaseOther = ["createdb", "dropdb", "pg_dumpall"].contains(program)
        let takesNames = !isDatabaseOther && program != "pg_restore"
        connectsToDatabase = !isDatabaseOther
        var shorts = ["h": "host", "p": "port", "U": "user", "d": "dbname"]
        shorts["u"] = program == "pgcli" ? "user" : nil
        shorts["l"] = program == "pg_dumpall" ? "dbname" : nil
        let valued = Arguments.valued[program] ?? "cdfFhLopPRTUv"
        var names: [String] = []
        var isUncertain = false
        var rest = words[...]
        while let word = rest.popFirst() {
            if word == "--" {
                names += rest
                break
            } else if word.hasPrefix("--") {
                let halves = word.dropFirst(2).split(
                    separator: "=", maxSplits: 1, omittingEmptySubsequences: false
                ).map(String.init)
                let name = program == "pgcli" ? halves[0] : Arguments.full(halves[0])
                let meaning = Arguments.longs[name]
                if halves.count == 2 {
                    settings[meaning ?? ""] = halves[1]
                } else if let meaning {
                    settings[meaning] = rest.popFirst()
                } else if Arguments.otherLongs.contains(name) {
                    _ = rest.popFirst()
                } else {
                    isUncertain = program != "psql" && program != "ysqlsh"
                }
            } else if word.hasPrefix("-"), word.count > 1 {
                var letters = word.dropFirst()
                while let letter = letters.popFirst() {
                    guard valued.contains(letter) else {
                        continue
                    }
                    let value = letters.isEmpty ? rest.popFirst() : String(letters)
                    settings[shorts[String(letter)] ?? ""] = value
                    break
                }
            } else {
                names.append(word)
            }
        }
        guard takesNames else {
            return
        }
        // An unknown option may have taken a word.
        connectsToDatabase = !isUncertain || names.isEmpty || settings["dbname"] != nil
        if settings["dbname"] == nil, !names.isEmpty {
            settings["dbname"] = names.removeFirst()
        }
        if settings["user"] == nil, let name = names.first {
            settings["user"] = name
        }
    }
}
