/// Which account the arguments and variables of a program name.
extension ToolProfile {
    /// Words for a user's name, each of which programs take for the other.
    private static let userWords = ["user", "username"]

    /// The options and variables that name the account. `SNOWFLAKE_USER`, next to `SNOWFLAKE_PASSWORD`, makes `--user` one of
    /// them; the id of a key is a part of the secret.
    package var allAccountNames: [String] {
        let secrets = variables.filter { $0.value == .secret }.map { $0.name.split(separator: "_") }
        var names = accountNames
        for variable in variables where variable.value == .account || variable.scoped == .account {
            let words = variable.name.split(separator: "_")
            guard !words.contains("KEY"), !words.contains("TOKEN") else {
                continue
            }
            let counts = secrets.map { secret in zip(words, secret).prefix { $0 == $1 }.count }
            let own = words.dropFirst(counts.max() ?? 1).map { $0.lowercased() }
            let camel = own.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }
            names += [
                variable.name, "--\(own.joined(separator: "-"))",
                "--\((own.prefix(1) + camel).joined())",
            ]
        }
        let users = ToolProfile.userWords.map { "--\($0)" }
        names += users.contains(where: names.contains) ? users : []
        return Set(names).subtracting((scope?.names ?? []) + rivals.joined()).sorted()
    }

    /// Whether the account is a user's name, which the program's file may have, too.
    package var hasUserName: Bool {
        let names = accountNames + variables.filter { $0.value != .secret }.map(\.name)
        return names.contains { name in
            ToolProfile.userWords.contains { name.lowercased().hasSuffix($0) }
        }
    }

    /// Whether a text may be the name of an account: not one that the profile has for all.
    package func isAccount(_ text: String) -> Bool {
        !variables.contains { $0.value == .text(text) && $0.scoped == .account }
    }

    /// Returns the account that a program is asked for, nil if it is asked for none.
    ///
    /// - Parameters:
    ///   - words: The program's arguments, without its name.
    ///   - scope: The name of the scope in use, nil without one.
    ///   - variable: Returns the value of a variable, nil for one that is not set.
    package func askedAccount(
        _ words: [String], in scope: String?, _ variable: (String) -> String?
    ) -> String? {
        let names = allAccountNames
        let account = ServerAddress(
            "", options: names.filter { $0.hasPrefix("-") },
            variables: names.filter { !$0.hasPrefix("-") })
        let options = hasUserName ? self.scope?.options ?? [] : []
        return account.asked(words, in: scope, variable)
            ?? ToolScope.value(of: options, in: words)?.userOfAddress
    }

    /// Returns the option whose address has a password, nil without one: redis-cli takes what has no colon for that, too.
    package func optionWithPassword(_ words: [String]) -> String? {
        let options = hasUserName && scope?.kind == .host ? scope?.options ?? [] : []
        return options.first { option in
            let login = ToolScope.value(of: [option], in: words)?.loginOfAddress ?? ""
            return login.firstIndex(of: ":") != login.indices.last && !login.isEmpty
        }
    }
}

extension String {
    /// What is before the host of an address such as `redis://ada:pw@cache.example`, nil without it.
    fileprivate var loginOfAddress: Substring? {
        guard let scheme = firstRange(of: "://") else {
            return nil
        }
        let authority = self[scheme.upperBound...].prefix { !"/?#".contains($0) }
        return authority.lastIndex(of: "@").map { authority[..<$0] }
    }

    /// The user of an address, nil without one.
    fileprivate var userOfAddress: String? {
        let user = loginOfAddress?.prefix { $0 != ":" } ?? ""
        return user.isEmpty ? nil : String(user)
    }
}
