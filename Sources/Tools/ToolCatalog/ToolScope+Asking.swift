/// Which scope the arguments and variables of a program ask for.
extension ToolScope {
    /// What a program is asked for.
    package enum Asked: Equatable, Sendable {
        /// Nothing: the repository around it counts, else the active scope.
        case nothing
        /// The active scope, whatever repository is around it.
        case active
        /// A scope: its names, the best one first.
        case scope([String])
    }

    /// Returns the scope that a program is asked for.
    ///
    /// - Parameters:
    ///   - words: The program's arguments, without its name.
    ///   - program: Its name.
    ///   - variable: Returns the value of a variable, nil for one that is not set.
    ///   - entry: Returns the name in a file, nil without one.
    package func asked(
        _ words: [String], of program: String = "", _ variable: (String) -> String?,
        entry: (_ entry: ActiveEntry, _ section: String) -> String? = { _, _ in nil }
    ) -> Asked {
        if let port, let socket = ToolScope.value(of: port.sockets, in: words) {
            return .scope([socket])
        }
        if let argument = arguments?.host(in: words) {
            return .scope(names(argument))
        }
        let number = port.flatMap { port in
            ToolScope.value(of: port.options, in: words)
                ?? port.variables.compactMap(variable).first { !$0.isEmpty }
        }
        var namesRepository = false
        let values =
            [
                ToolScope.value(of: options + (programOptions[program] ?? []), in: words),
                flag(in: words, entry),
            ]
            + variables.map { variable($0).flatMap { $0.isEmpty ? nil : $0 } }
        for case let value? in values {
            if let name = host(ofRepository: value) {
                return .scope(names(name, port: number))
            }
            namesRepository = true
        }
        guard let number, let fallback else {
            return namesRepository ? .active : .nothing
        }
        return .scope(names(fallback, port: number))
    }

    /// Returns a name in the form of the items' services.
    package func canonical(_ name: String) -> String {
        var name =
            switch kind {
            case .host: ToolScope.host(of: name)
            case .caselessName: name.lowercased()
            case .name, .folder, .group, .server: name
            }
        while name.contains("://"), name.hasSuffix("/") {
            name.removeLast()
        }
        return aliases[name]
            ?? aliases.first { $0.key.hasPrefix(".") && name.hasSuffix($0.key) }?.value ?? name
    }

    /// Returns the host of an address, with a port that is not the scheme's.
    private static func host(of address: String) -> String {
        var host = Substring(address)
        var scheme = ""
        if let end = host.firstRange(of: "://") {
            scheme = host[..<end.lowerBound].lowercased()
            host = host[end.upperBound...]
        }
        host = host.prefix { !"/?#".contains($0) }
        if let user = host.lastIndex(of: "@") {
            host = host[host.index(after: user)...]
        }
        // The port of ssh says nothing of the program's own server.
        let isOfScheme =
            ["ssh", "git", "git+ssh"].contains(scheme)
            || scheme == "https" && host.hasSuffix(":443")
            || scheme == "http" && host.hasSuffix(":80")
        if isOfScheme, let colon = host.lastIndex(of: ":"), !host[colon...].contains("]") {
            host = host[..<colon]
        }
        return host.lowercased()
    }

    /// Returns the names of a scope; a host has one without a port, too, if that is the usual one.
    package func names(_ name: String, port number: String? = nil) -> [String] {
        let given = name
        let name = canonical(given)
        guard let port else {
            // A user may have stored an item with the name in another case.
            return kind == .caselessName && given != name ? [name, given] : [name]
        }
        let colon = name.lastIndex(of: ":")
        let isAddress = name.count { $0 == ":" } > 1 && !name.hasPrefix("[")
        if let colon, !isAddress, !name[colon...].contains("]") {
            return name[name.index(after: colon)...] == port.fallback
                ? [String(name[..<colon]), name] : [name]
        }
        let number = number ?? port.fallback
        let full = "\(isAddress ? "[\(name)]" : name):\(number)"
        return number == port.fallback ? [name, full] : [full]
    }

    /// Returns the scope that an option's value names: of `HOST/OWNER/REPOSITORY` the host, nil for `OWNER/REPOSITORY`.
    private func host(ofRepository value: String) -> String? {
        guard let repositories, !ToolScope.isAddress(value) else {
            return value
        }
        let parts = value.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count > 1 else {
            return value
        }
        let isHost =
            repositories == .ofOwners ? parts.count > 2 : parts.count > 2 && parts[0].contains(".")
        return isHost ? String(parts[0]) : nil
    }

    /// Whether a text is an address: `scheme://HOST` or `USER@HOST:PATH`.
    fileprivate static func isAddress(_ text: String) -> Bool {
        guard !text.contains(where: \.isWhitespace) else {
            return false
        }
        if let scheme = text.firstRange(of: "://") {
            let scheme = text[..<scheme.lowerBound]
            return scheme.first?.isLetter == true
                && scheme.allSatisfy { $0.isLetter || $0.isNumber || "+-.".contains($0) }
        }
        guard let at = text.firstIndex(of: "@"), let colon = text[at...].firstIndex(of: ":") else {
            return false
        }
        return !text[..<colon].contains("/") && !text[at..<colon].dropFirst().isEmpty
    }

    /// Returns the host of an address, nil for another text.
    fileprivate static func host(ofAddress text: String) -> String? {
        guard isAddress(text) else {
            return nil
        }
        guard !text.contains("://"), let at = text.firstIndex(of: "@") else {
            return text
        }
        return String(text[text.index(after: at)...].prefix { $0 != ":" })
    }

    private func flag(
        in words: [String], _ entry: (ActiveEntry, String) -> String?
    ) -> String? {
        for (index, word) in words.enumerated().reversed() {
            let parts = word.split(separator: "=", maxSplits: 1)
            guard let name = parts.first,
                let flag = flags.first(where: { $0.names.contains(String(name)) })
            else {
                continue
            }
            guard let place = flag.entry else {
                return flag.scope
            }
            let next = parts.count == 2 ? String(parts[1]) : words.dropFirst(index + 1).first
            return next.flatMap { entry(place, $0) }
                ?? (parts.count == 2 ? nil : entry(place, "default"))
                ?? flag.scope
        }
        return nil
    }

    /// Returns the value of the last one of some options before `--`, nil without one.
    static func value(of options: [String], in words: [String]) -> String? {
        var value: String?
        for (index, word) in words.enumerated() {
            if word == "--" {
                break
            }
            for option in options {
                let skips = option.hasSuffix(" *")
                let name = skips ? String(option.dropLast(2)) : option
                if word == name {
                    let place = index + (skips ? 2 : 1)
                    value = place < words.count ? words[place] : value
                } else if skips {
                    continue
                } else if word.hasPrefix("\(option)=") {
                    value = String(word.dropFirst(option.count + 1))
                } else if option.count == 2, word.hasPrefix(option), !option.hasSuffix("-") {
                    value = String(word.dropFirst(2))
                }
            }
        }
        return value
    }
}

extension ToolScope.Arguments {
    /// Returns the host that an argument names, nil if none does.
    fileprivate func host(in words: [String]) -> String? {
        let command = words.first { !$0.hasPrefix("-") } ?? ""
        guard commands.isEmpty || commands.contains(command), !others.contains(command) else {
            return nil
        }
        var isText = false
        for word in words {
            defer { isText = texts.contains(word) }
            if !isText, !word.hasPrefix("-"), let host = ToolScope.host(ofAddress: word) {
                return host
            }
        }
        guard ofRepositories.contains(command) else {
            return nil
        }
        for word in words where !word.hasPrefix("-") {
            let parts = word.split(separator: "/", omittingEmptySubsequences: false)
            if parts.count > 2, !parts.contains(""), parts[0].dropFirst().contains(".") {
                return String(parts[0])
            }
        }
        return nil
    }
}

extension String {
    /// The text without the user and password of an address: fit for a message.
    package var withoutUser: String {
        guard let scheme = firstRange(of: "://") else {
            return self
        }
        let authority = self[scheme.upperBound...].prefix { !"/?#".contains($0) }
        guard let at = authority.lastIndex(of: "@") else {
            return self
        }
        return String(self[..<scheme.upperBound] + self[index(after: at)...])
    }
}
