internal import KeychainServices
internal import PlainTextFormats

/// Judges whether a setting that no rule of a format reads may be a secret.
///
/// It may, unless its name or its value says that it is none: no list has all names that programs invent. A URL with a
/// password and a private key are secrets whatever they are called.
struct SuspectedSecret {
    /// How sure it is.
    enum Certainty {
        case none
        /// Nothing speaks against it.
        case possible
        /// By its name.
        case likely
        /// By its value.
        case certain
    }

    /// What a name says of its value.
    private enum Kind {
        /// Such as `password`.
        case secret
        /// A secret or a way to log in, such as `auth`.
        case login
        /// A secret or a name, such as `keys`.
        case key
        case unknown
        /// Such as `region`.
        case harmless
    }

    /// - Parameters:
    ///   - path: The names that lead to the value.
    ///   - value: Its bytes, without quotation marks.
    ///   - isVerbatim: Whether the bytes are the value.
    static func certainty(
        _ path: [String], _ value: Span<UInt8>, isVerbatim: Bool
    ) -> Certainty {
        let value = value.extracting(value.withoutBlanks)
        if value.hasPasswordInURL || value.isPrivateKey || value.isAuthorization
            || value.hasSecretOption
        {
            return .certain
        }
        let names = path.filter { !$0.isEmpty }
        let kind = kind(names)
        guard !value.isReference else {
            return .none
        }
        if value.isComposite {
            return value.hasSuspectedMember(names, isOfLogin: kind == .login) || kind == .secret
                ? .likely : .none
        }
        let isSuspected =
            switch kind {
            case .secret:
                (isVerbatim ? value.isSecret : true)
                    && (!value.isNumber || isSecret(names.last?.words.last ?? ""))
            case .login: !isVerbatim || value.isSecret && !value.isPlace && !value.isWord
            case .key: value.isSecret && !value.isPlace
            case .unknown:
                isVerbatim && value.isSecret && !value.isPlace && !value.isWordsAndNumbers
            // Sonar's login may be a token.
            case .harmless:
                names.last?.words.last == "login" && isVerbatim && value.count >= 20
                    && value.isSecret && !value.isPlace && !value.isWordsAndNumbers
            }
        guard isSuspected else {
            return .none
        }
        return kind == .unknown ? .possible : .likely
    }

    private static func kind(_ names: [String]) -> Kind {
        let name = names.last ?? ""
        // The name may be the address that a secret is for.
        var words = name.contains("://") ? [] : name.words
        if words.last == "data" {
            words.removeLast()
        }
        let isHarmless =
            words.last.map { harmless.contains($0) && !($0 == "org" && name.contains(".")) }
            ?? false
        let isPublic =
            words.contains(where: ["public", "pub"].contains)
            || words.contains("certificate") && words.last != "key"
        if isHarmless || isPublic {
            return .harmless
        }
        if words.contains(where: isSecret) || words.last.map(credentials.contains) == true {
            return .secret
        }
        let isInContainer = names.dropLast().contains { name in
            name.words.last.map { containers.contains($0) || $0.hasSuffix("keys") } ?? false
        }
        if words.last?.hasSuffix("key") == true || isInContainer {
            return .key
        }
        return words.contains(where: logins.contains) ? .login : .unknown
    }

    /// Whether an option or a variable of a command takes a secret: its name ends as that of one.
    fileprivate static func takesSecret(_ name: String) -> Bool {
        let end = name.words.last ?? ""
        return kind([name]) != .harmless && (isSecret(end) || end.hasSuffix("key"))
    }

    private static func isSecret(_ word: String) -> Bool {
        secrets.contains(word) || endings.contains { word.hasSuffix($0) }
    }

    private static let secrets: Set = ["pass", "pwd", "pw", "psk"]
    private static let endings = [
        "password", "passwd", "passphrase", "passcode", "token", "secret", "apikey", "secretkey",
        "privatekey", "accesskey", "authkey", "signingkey", "passwords", "secrets", "apikeys",
    ]
    private static let credentials: Set = ["credential", "credentials", "cred", "creds"]
    private static let logins: Set = [
        "auth", "authorization", "authentication", "credential", "credentials", "cred", "ident",
        "identity", "cookie", "cookies", "session",
    ]
    /// What has secrets, whatever they are called there.
    private static let containers: Set = [
        "headers", "tokens", "passwords", "secrets", "credentials", "cookies",
    ]

    private static let harmless: Set = [
        "id", "ids", "uuid", "name", "names", "user", "username", "login", "email", "mail", "host",
        "hostname", "server", "url", "urls", "uri", "endpoint", "address", "path", "file", "files",
        "dir", "directory", "folder", "type", "kind", "method", "mode", "scheme", "format",
        "output", "version", "region", "zone", "location", "profile", "context", "cluster",
        "project", "organization", "org", "team", "workspace", "tenant", "account", "role", "scope",
        "scopes", "protocol", "port", "helper", "helpers", "command", "cmd", "program", "store",
        "provider", "algorithm", "alg", "expires", "expiry", "expiration", "at", "ttl", "time",
        "timeout", "date", "created", "updated", "agent", "accept", "label", "title",
        "description", "editor", "browser", "pager", "theme", "color", "language", "locale",
        "model", "environment", "variable", "subject", "issuer", "audience", "fingerprint", "hash",
        "digest", "checksum", "alias", "level", "style", "size", "count", "limit", "length",
        "minutes", "seconds", "arn", "database", "warehouse", "schema", "registry", "repository",
        "prefix", "cert", "ca", "enabled", "etag", "uniqueid", "userid", "deviceid", "clientid",
        "accountid", "anonymousid", "machineid", "installationid",
    ]
}

extension String {
    /// The words of a name in lower case: `npmAuthIdent`, `api_key`, `APIKey`, `password2`; numbers after them do not count.
    fileprivate var words: [String] {
        var words: [String] = []
        var word = ""
        let characters = Array(self)
        for (index, character) in characters.enumerated() {
            let isNext = index + 1 < characters.count
            let startsWord =
                character.isUppercase && index > 0
                && (!characters[index - 1].isUppercase
                    || isNext && characters[index + 1].isLowercase)
            if startsWord || !character.isLetter && !character.isNumber, !word.isEmpty {
                words.append(word)
                word = ""
            }
            if character.isLetter || character.isNumber {
                word += character.lowercased()
            }
        }
        words += word.isEmpty ? [] : [word]
        return words.map { word in
            let end = word.lastIndex { !$0.isNumber }
            return end.map { String(word[...$0]) } ?? word
        }
    }
}

extension Span where Element == UInt8 {
    /// Whether a URL in it, such as that of a proxy, has a password that is no variable.
    var hasPasswordInURL: Bool {
        var start = 0
        while let found = extracting(start...).firstIndex(of: "://") {
            let end = start + found
            var first = end
            while first > 0, self[first - 1].isLetterOrDigit || "+-.".utf8.contains(self[first - 1])
            {
                first -= 1
            }
            var last = end + 3
            while last < count, !" \t\n\"',<>".utf8.contains(self[last]) {
                last += 1
            }
            let url = extracting(first..<last)
            if let range = URLParts(url).password {
                let password = url.extracting(range)
                if !password.isEmpty, !password.starts(with: "$"), !password.starts(with: "%(") {
                    return true
                }
            }
            start = last
        }
        return false
    }

    fileprivate var isPrivateKey: Bool {
        firstIndex(of: "-----BEGIN ") != nil && firstIndex(of: "PRIVATE KEY") != nil
    }

    /// Whether it is the value of the header Authorization.
    fileprivate var isAuthorization: Bool {
        for scheme in ["Bearer ", "Basic ", "bearer ", "basic "] {
            let bytes = Array(scheme.utf8)
            if count > bytes.count + 3, bytes.indices.allSatisfy({ self[$0] == bytes[$0] }),
                !extracting(bytes.count...).contains(.space),
                !extracting(bytes.count...).starts(with: "$")
            {
                return true
            }
        }
        return false
    }

    /// Whether it is a command, or a list of arguments, with a secret: `--token=VALUE`, `--token VALUE`,
    /// `TOKEN=VALUE` or `X-Token: VALUE`.
    fileprivate var hasSecretOption: Bool {
        var isValueNext = false
        var isHeaderNext = false
        var start = 0
        for index in 0...count {
            guard index == count || " \t\n\"',[]".utf8.contains(self[index]) else {
                continue
            }
            let word = extracting(start..<index)
            start = index + 1
            guard !word.isEmpty else {
                continue
            }
            let isOption = word.starts(with: "-")
            let isHeader = !isOption && word[word.count - 1] == .colon
            let sign = isHeader ? word.count - 1 : word.firstIndex(of: "=")
            let end = sign ?? word.count
            let hasValue = end + 1 < word.count
            let takesSecret =
                (isOption || sign != nil)
                && SuspectedSecret.takesSecret(word.extracting(..<end).nameOfMember)
            let value = word.extracting((hasValue ? end + 1 : 0)...)
            if hasValue ? takesSecret : isValueNext && !isOption,
                value.isSecret, !value.isPlace, !value.isReference,
                !isHeaderNext || !value.isWordsAndNumbers
            {
                return true
            }
            isValueNext = takesSecret && !hasValue
            isHeaderNext = isValueNext && isHeader
        }
        return false
    }

    /// Whether a value names a secret elsewhere, or only switches something on or off.
    fileprivate var isReference: Bool {
        starts(with: "$") || starts(with: "lanyard:") || starts(with: "op://") || equals("null")
            || equals("~") || equals("{}") || equals("[]") || equalsIgnoringCase("true")
            || equalsIgnoringCase("false") || equalsIgnoringCase("yes") || equalsIgnoringCase("no")
            || equals("0") || equals("1")
    }

    /// Whether it is a number, such as the lifetime of a token.
    fileprivate var isNumber: Bool { indices.allSatisfy { self[$0].isDigit } }

    /// Whether it is an inline table or list.
    fileprivate var isComposite: Bool {
        count > 1 && (self[0] == UInt8(ascii: "{") || self[0] == UInt8(ascii: "["))
    }

    /// Whether it is a path, a URL or an option.
    fileprivate var isPlace: Bool {
        starts(with: "/") || starts(with: "~/") || starts(with: "./") || starts(with: "../")
            || starts(with: "-") || firstIndex(of: "://") != nil
    }

    /// Whether it is one word in lower case, such as the name of a method.
    fileprivate var isWord: Bool {
        indices.allSatisfy { (0x61...0x7A).contains(self[$0]) || "-_".utf8.contains(self[$0]) }
    }

    /// Whether it is a text, a time, or a name such as `us-east-1` and `linode/debian12`: letters and digits are mixed in
    /// no long word, and no word has more letters than words have.
    fileprivate var isWordsAndNumbers: Bool {
        guard !contains(.space), !isTime else {
            return true
        }
        let hasSeveral = indices.contains { !self[$0].isLetterOrDigit && self[$0] < 0x80 }
        var letters = 0
        var digits = 0
        for index in 0...count {
            let byte = index < count ? self[index] : .space
            if byte.isLetter || byte >= 0x80 {
                letters += 1
            } else if byte.isDigit {
                digits += 1
            } else {
                let isNumbered = hasSeveral && digits <= 2 && letters <= 10
                let isMixed = letters > 0 && digits > 0 && letters + digits > 4 && !isNumbered
                guard !isMixed, letters <= 20 else {
                    return isHost
                }
                (letters, digits) = (0, 0)
            }
        }
        return true
    }

    /// Whether it is a time such as `2026-01-02T03:04:05.678+01:00`.
    private var isTime: Bool {
        count > 10 && self[4] == UInt8(ascii: "-") && self[7] == UInt8(ascii: "-")
            && indices.allSatisfy { self[$0].isDigit || "TZ:.+-".utf8.contains(self[$0]) }
    }

    /// Whether it is the name of a host: short labels in lower case.
    private var isHost: Bool {
        var label = 0
        var labels = 1
        for index in indices {
            switch self[index] {
            case UInt8(ascii: "."):
                guard label > 0 else {
                    return false
                }
                (label, labels) = (0, labels + 1)
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): return false
            case _ where self[index].isLetterOrDigit || "-:".utf8.contains(self[index]): label += 1
            default: return false
            }
            guard label <= 24 else {
                return false
            }
        }
        return labels > 1 && label > 0
    }

    /// Whether an inline table or list has a setting that may be a secret.
    ///
    /// - Parameter isOfLogin: Whether its own name is that of a login, whose members may be `user:password`.
    fileprivate func hasSuspectedMember(_ path: [String], isOfLogin: Bool) -> Bool {
        var start = 0
        var name: String?
        for index in 0...count {
            let byte = index < count ? self[index] : .comma
            if name == nil, index > start, byte == .colon || byte == UInt8(ascii: "=") {
                name = extracting(unquotedMember(start..<index)).nameOfMember
                start = index + 1
            } else if ",{}[]".utf8.contains(byte) {
                let value = extracting(unquotedMember(start..<index))
                if let member = name,
                    isOfLogin && !value.isEmpty
                        || SuspectedSecret.certainty(path + [member], value, isVerbatim: true)
                            != .none
                {
                    return true
                }
                if !",]}".utf8.contains(byte) || name != nil {
                    name = nil
                }
                start = index + 1
            }
        }
        return false
    }

    private func unquotedMember(_ range: Range<Int>) -> Range<Int> {
        var (start, end) = (range.lowerBound, range.upperBound)
        while start < end, " \t\n\"'".utf8.contains(self[start]) {
            start += 1
        }
        while end > start, " \t\n\"'".utf8.contains(self[end - 1]) {
            end -= 1
        }
        return start..<end
    }

    private var nameOfMember: String {
        var bytes: [UInt8] = []
        for index in indices.prefix(200) {
            bytes.append(self[index])
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
