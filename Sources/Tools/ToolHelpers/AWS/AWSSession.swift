internal import KeychainServices

/// The secret of an item for aws.
///
/// Line one is the secret access key. Each further line is `key=value` with one of the keys below. There is no line
/// feed at the end.
struct AWSSession: ~Copyable {
    private(set) var secretAccessKey = Secret("")
    /// Nil for an access key that is valid for long.
    private(set) var sessionToken: Secret?
    /// When the session expires; nil for one that does not.
    private(set) var expiration: Timestamp?
    /// Whether the text has exactly this form.
    private(set) var isValid = true

    /// Reads the secret of an item.
    init(_ text: borrowing Secret) {
        text.withBytes { text in
            var start = 0
            var isFirst = true
            while start <= text.count {
                let end = text.firstIndex(of: UInt8(ascii: "\n"), from: start) ?? text.count
                let line = text.extracting(start..<end)
                if isFirst {
                    secretAccessKey = Secret(copying: line)
                } else {
                    read(line)
                }
                isFirst = false
                start = end + 1
            }
            let isText = text.indices.allSatisfy {
                text[$0] == UInt8(ascii: "\n") || (0x21..<0x7F).contains(text[$0])
            }
            isValid = isValid && isText && secretAccessKey.count > 0
        }
    }

    private mutating func read(_ line: Span<UInt8>) {
        let equalsSign = line.firstIndex(of: UInt8(ascii: "=")) ?? line.count
        let value = line.extracting(droppingFirst: min(equalsSign + 1, line.count))
        switch line.extracting(..<equalsSign) {
        case let key where key.equals("session_token") && sessionToken == nil:
            sessionToken = Secret(copying: value)
        case let key where key.equals("expiration") && expiration == nil:
            expiration = value.date
            isValid = isValid && expiration != nil
        default: isValid = false
        }
    }

    /// Whether it has expired.
    func hasEnded(at now: Timestamp) -> Bool {
        expiration.map { $0 < now } ?? false
    }

    /// Whether storing it would leave an item with the other one unchanged: parts that it lacks contradict nothing.
    borrowing func leavesUnchanged(_ other: borrowing AWSSession) -> Bool {
        secretAccessKey.isEqual(to: other.secretAccessKey)
            && (expiration == nil || expiration == other.expiration)
            && (sessionToken == nil || sessionToken.isEqual(to: other.sessionToken))
    }

    /// Returns the secret of an item for it with another expiry.
    consuming func text(expiration: Timestamp) -> Secret {
        var text = SecretBuilder(capacity: secretAccessKey.count + 2048)
        text.append(secretAccessKey)
        switch sessionToken {
        case .some(let token):
            text.append("\nsession_token=")
            text.append(token)
        case .none: break
        }
        text.append("\nexpiration=")
        text.append(ByteString(expiration.text))
        return text.finish()
    }
}
