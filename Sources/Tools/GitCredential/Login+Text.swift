internal import KeychainServices

/// The secret of an item, in the format of git-credential-libsecret: either program can read what the other
/// has stored.
///
/// Line one is the password. Each further line is `key=value` with one of the keys below; other lines are
/// ignored. There is no line feed at the end. git-credential-libsecret knows the keys password_expiry_utc
/// and oauth_refresh_token, and ignores authtype and credential.
///
/// Line one always exists. If it is empty, it means an empty password without a credential, and no password
/// with one.
extension Login {
    /// Reads the secret of an item. Every text is valid; an invalid expiry counts as none.
    init(text: borrowing Secret) {
        self.init()
        text.withBytes { read($0) }
        dropEmptyPasswordBesideCredential()
    }

    private mutating func read(_ text: Span<UInt8>) {
        var start = 0
        var isFirst = true
        while start <= text.count {
            let end = text.firstIndex(of: Byte.lineFeed, from: start) ?? text.count
            let line = text.extracting(start..<end)
            if isFirst {
                password = Secret(copying: line)
            } else {
                read(line: line)
            }
            isFirst = false
            start = end + 1
        }
    }

    private mutating func read(line: Span<UInt8>) {
        guard let equalsSign = line.firstIndex(of: Byte.equalsSign) else {
            return
        }
        let value = line.extracting((equalsSign + 1)...)
        switch RequestKey(line.extracting(..<equalsSign)) {
        case .passwordExpiry: expiry = Timestamp(expiry: value)
        case .refreshToken: refreshToken = Secret(copying: value)
        case .authtype: authtype = ByteString(copying: value)
        case .credential: credential = Secret(copying: value)
        default: break
        }
    }

    /// Makes the login distinguishable in its text from every other.
    mutating func dropEmptyPasswordBesideCredential() {
        if credential != nil, password.isEqual(to: Secret("")) {
            password = nil
        }
    }

    /// Returns the secret of an item for this login, which is the password itself if there are no further
    /// parts.
    consuming func intoText() -> Secret {
        guard isPasswordAlone, let password = password.take() else {
            return text()
        }
        return password
    }

    /// Returns the secret of an item for this login.
    borrowing func text() -> Secret {
        var text: SecretBuilder
        switch password {
        case .some(let password):
            if isPasswordAlone {
                return password.copy()
            }
            text = SecretBuilder(capacity: password.count + 256)
            text.append(password)
        case .none:
            text = SecretBuilder()
        }
        text.append(before: "\n", .passwordExpiry, expiry.map { ByteString(expiry: $0) })
        text.append(before: "\n", .refreshToken, refreshToken)
        text.append(before: "\n", .authtype, authtype)
        text.append(before: "\n", .credential, credential)
        return text.finish()
    }
}

extension Timestamp {
    /// Parses a value of password_expiry_utc; nil for 0 and for anything but a number of seconds.
    init?(expiry value: Span<UInt8>) {
        guard let seconds = value.decimalNumber, seconds != 0 else {
            return nil
        }
        self.init(secondsSinceEpoch: seconds)
    }
}

extension ByteString {
    /// Formats a value of password_expiry_utc.
    init(expiry: Timestamp) {
        self.init(String(expiry.secondsSinceEpoch))
    }
}
