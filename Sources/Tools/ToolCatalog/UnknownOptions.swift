/// What a program is asked for by options and variables that its profile doesn't know, as their names say.
extension ToolProfile {
    /// The part with the address that a secret is for, for profiles without such a part.
    package static let serverPart = "server"

    /// Options that name the server of a program's secret. `--url` is none: many programs have it for addresses that they
    /// send to the server.
    private static let serverOptions = [
        "--api", "--api-base", "--api-base-url", "--api-endpoint", "--api-host", "--api_host",
        "--api-server", "--api-url", "--base-url", "--baseurl", "--endpoint", "--endpoint-url",
        "--host", "--hostname", "--server", "--server-url",
    ]

    /// The ends of variables that do so.
    private static let serverEnds = [
        "API_BASE", "API_BASE_URL", "API_ENDPOINT", "API_HOST", "API_SERVER", "API_URL",
        "BASEURL", "BASE_URL", "ENDPOINT", "ENDPOINT_URL", "HOST", "HOSTNAME", "SERVER",
        "SERVER_URL", "SITE", "URL",
    ]

    /// Options with a secret.
    private static let secretOptions = [
        "--access-token", "--api-key", "--api-token", "--api_key", "--apikey", "--auth-token",
        "--token",
    ]

    /// Options with the path of another file than the usual one.
    static let fileOptions = ["--config", "--config-file", "--configuration"]

    /// The options and variables that the profile knows.
    private var knownNames: Set<String> {
        let moving = moves.flatMap { $0.options + $0.variables }
        let addressing = addresses.flatMap { $0.options + $0.variables }
        return Set((scope?.names ?? []) + moving + addressing + variables.map(\.name))
    }

    /// Returns the option with a secret among a program's arguments, which comes before Lanyard's; nil without one.
    ///
    /// - Parameter has: Whether they have an option.
    package func ownSecret(_ has: (String) -> Bool) -> String? {
        let known = knownNames
        return ToolProfile.secretOptions.first { !known.contains($0) && has($0) }
    }

    /// Returns the server that a program is asked for in a way that the profile doesn't know, and the option or variable;
    /// nil without one. A server of this machine is none, and a secret that is for no server has none.
    ///
    /// - Parameters:
    ///   - words: The program's arguments, without its name.
    ///   - variable: Returns the value of a variable, nil for one that is not set.
    package func unknownServer(
        _ words: [String], _ variable: (String) -> String?
    ) -> (name: String, address: String)? {
        guard signIn != nil, !hasAllItems else {
            return nil
        }
        var known = knownNames
        var names = serverVariables
        // A name that the program is asked for has a server that no file knows.
        if let scope, let server = scope.server, server.entries.isEmpty,
            ToolScope.value(of: scope.options, in: words) != nil
        {
            known.subtract(server.options + server.variables)
            names += server.variables
        }
        for option in ToolProfile.serverOptions where !known.contains(option) {
            if let address = ToolScope.value(of: [option], in: words), address.isRemoteAddress {
                return (option, address)
            }
        }
        for name in names where !known.contains(name) {
            if let address = variable(name), address.isRemoteAddress {
                return (name, address)
            }
        }
        return nil
    }

    /// `FLY_API_BASE_URL` and others, for a program that takes its secret in `FLY_ACCESS_TOKEN`.
    private var serverVariables: [String] {
        var names: [String] = []
        for variable in variables where variable.value == .secret {
            let words = variable.name.split(separator: "_")
            for count in 1..<max(words.count, 1) {
                let start = words.prefix(count).joined(separator: "_")
                names += ToolProfile.serverEnds.map { "\(start)_\($0)" }
            }
        }
        return names
    }

    /// Whether an address is one of the domain where users sign in.
    package func isOfVendor(_ address: String) -> Bool {
        guard let signIn, signIn.contains("://") else {
            return false
        }
        let host = ServerAddress.host(of: address)
        let labels = ServerAddress.host(of: signIn).split(separator: ".").suffix(2)
        let domain = labels.joined(separator: ".")
        return host == domain || host.hasSuffix(".\(domain)")
    }
}

extension String {
    /// Whether it may be the address of another machine: a word such as `lan`, and a path, are none.
    fileprivate var isRemoteAddress: Bool {
        let host = ServerAddress.host(of: self)
        let name = host.hasPrefix("[") ? host : String(host.prefix { $0 != ":" })
        let isHere = ["", "localhost", "127.0.0.1", "0.0.0.0", "[::1]"].contains(name)
        return !isHere && (contains("://") || host.contains(".") || host.contains(":"))
    }
}
