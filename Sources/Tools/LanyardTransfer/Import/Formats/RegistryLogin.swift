internal import DockerCredential
internal import KeychainServices
internal import StrictJSON

/// A registry's entry in docker's config.json.
///
/// The corresponding type of docker's client is `AuthConfig`.
struct RegistryLogin: ~Copyable {
    private var auth = Secret("")
    private var username: ByteString = ""
    private var password = Secret("")
    private var identityToken = Secret("")
    private var hasRegistryToken = false
    /// What the item lacks, known once ``content(_:_:)`` has returned: docker itself has room for one login. The member
    /// `serveraddress` repeats the name of the registry.
    private(set) var unread = UnreadParts(besides: ["serveraddress"])

    /// Reads the object of a registry as docker does: member names ignore letter case, other members are
    /// ignored, `null` counts as absent.
    ///
    /// - Returns: Nil without a login.
    init?(from reader: inout JSONReader) throws(KeychainError) {
        var login = RegistryLogin()
        try reader.readMembers(login.unread) { name, reader throws(KeychainError) in
            try login.read(name.lowercasedASCII, &reader)
        }
        let isUnread = login.unread.losses.contains { loss in
            RegistryLogin.names.contains { loss == .unread($0) }
        }
        guard login.hasLogin || isUnread else {
            return nil
        }
        self = login
    }

    private static let names = ["auth", "username", "password", "identitytoken", "registrytoken"]

    private init() {}

    private var hasLogin: Bool {
        auth.count + password.count + identityToken.count > 0 || !username.isEmpty
            || hasRegistryToken
    }

    private mutating func read(
        _ name: ByteString, _ reader: inout JSONReader
    ) throws(KeychainError) {
        switch name {
        case "auth": auth = try reader.readSecret()
        case "username": username = try reader.readText()
        case "password": password = try reader.readSecret()
        case "identitytoken": identityToken = try reader.readSecret()
        case "registrytoken": hasRegistryToken = try reader.readSecret().count > 0
        default: break
        }
    }

    /// Returns what the login becomes.
    ///
    /// As in docker, `auth` takes precedence over username and password, and an identity token over a
    /// password.
    consuming func content(
        _ url: ByteString, _ earlier: inout EarlierEntries
    ) -> ImportRecord.Content {
        if auth.count > 0 {
            guard let decoded = auth.withBytes({ Base64.decode(withoutLineBreaks: $0) }) else {
                return .unreadable("its auth is not Base64")
            }
            let (other, digest) = (username, password.count > 0 ? password.digest : nil)
            guard take(decoded) else {
                return .unreadable("its auth has no user name")
            }
            if !other.isEmpty, other != username {
                unread.note("username")
            }
            if let digest, digest != password.digest {
                unread.note("password")
            }
        }
        if hasRegistryToken {
            unread.note("registrytoken")
        }
        if identityToken.count > 0 {
            if password.count > 0 {
                unread.note(auth.count > 0 ? "auth" : "password")
            }
            return RegistryLogin.item(url, "<token>", identityToken, &earlier)
        }
        guard !username.isEmpty else {
            return .unreadable(
                hasRegistryToken
                    ? "docker stores no registry tokens in helpers" : "it has no user name")
        }
        return RegistryLogin.item(url, username, password, &earlier)
    }

    /// Reads user and password from `user:password`.
    private mutating func take(_ decoded: borrowing Secret) -> Bool {
        guard
            let colon = decoded.withBytes({ $0.firstIndex(of: .colon) }), colon > 0
        else {
            return false
        }
        username = decoded.withBytes { ByteString(copying: $0.extracting(..<colon)) }
        password = decoded.withBytes { bytes in
            // docker removes the NULs at both ends, which an old bug added as padding.
            var range = colon + 1..<bytes.count
            while let first = range.first, bytes[first] == 0 {
                range = first + 1..<range.upperBound
            }
            while let last = range.last, bytes[last] == 0 {
                range = range.lowerBound..<last
            }
            return Secret(copying: bytes.extracting(range))
        }
        return true
    }

    private static func item(
        _ url: ByteString, _ username: ByteString, _ secret: consuming Secret,
        _ earlier: inout EarlierEntries
    ) -> ImportRecord.Content {
        do throws(KeychainError) {
            let item = try DockerCredentialItem(
                serverURL: url, username: username, secret: secret)
            return earlier.item(item.newItem())
        } catch {
            return error.status == .dataTooLarge
                ? .tooLong : .unreadable("it has no registry")
        }
    }
}

extension Base64 {
    /// Decodes like Go's decoder, which ignores line breaks between the digits.
    fileprivate static func decode(withoutLineBreaks text: Span<UInt8>) -> Secret? {
        var digits = SecretBuilder(capacity: text.count)
        for index in text.indices
        where text[index] != .lineFeed && text[index] != .carriageReturn {
            digits.append(text[index])
        }
        return digits.finish().withBytes { decode($0) }
    }
}
