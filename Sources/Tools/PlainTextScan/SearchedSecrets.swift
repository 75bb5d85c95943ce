package import LanyardSecrets

/// The secrets to search for, collected one after another.
package struct SearchedSecrets: ~Copyable {
    /// Why a secret is not searched for: texts would contain it by chance.
    package enum Omission: Hashable, Sendable {
        /// It has fewer bytes than ``SearchedSecrets/shortest``.
        case tooShort
        /// It repeats a few characters, or is a short word or number.
        case tooSimple
    }

    /// The bytes of the shortest secret that is searched for.
    package static let shortest = 8
    /// How many bytes of a longer secret are searched for.
    static let longest = 4096

    private var bytes = SecretBuilder(capacity: 4096)
    private var texts: [SearchedText] = []

    /// Starts without any secret.
    package init() {}

    /// Adds a secret in all its forms.
    ///
    /// - Parameters:
    ///   - account: The account of a login.
    ///   - item: The number that a match returns.
    /// - Returns: Why it is left out, nil if it is not.
    package mutating func add(
        _ secret: borrowing Secret, account: ByteString?, item: Int
    ) -> Omission? {
        let secret = secret.withoutLineBreaksAtEnd()
        if let omission = SearchedSecrets.omission(of: secret) {
            return omission
        }
        append(secret, .plain, item)
        var forms = FormList()
        SecretForms.forEach(of: secret, account: account) { form, text in
            if !text.isEqual(to: secret), forms.isNew(text) {
                append(text, form, item)
            }
        }
        return nil
    }

    /// Adds private keys without a passphrase, whatever they are.
    package mutating func addPrivateKeys() {
        append(Secret("\(PrivateKeyText.mark)"), .plain, nil)
    }

    /// Returns the search for all of them.
    ///
    /// - Throws: ``Status/io`` if the system has no random numbers.
    package consuming func finish() throws(KeychainError) -> SecretSearch {
        try SecretSearch(texts, bytes.finish())
    }

    private mutating func append(_ text: borrowing Secret, _ form: SecretForm, _ item: Int?) {
        let count = min(text.count, SearchedSecrets.longest)
        text.withBytes { span in
            let shown = span.extracting(first: count)
            texts.append(
                SearchedText(
                    start: bytes.count, count: count,
                    window: SearchedText.window(of: shown), form: form,
                    items: item.map { [$0] } ?? []))
            bytes.append(shown)
        }
    }

    private static func omission(of secret: borrowing Secret) -> Omission? {
        guard secret.count >= shortest else {
            return .tooShort
        }
        return secret.withBytes { bytes in
            var isThere = (UInt64(0), UInt64(0), UInt64(0), UInt64(0))
            var hasOnlyDigits = true
            var hasOnlySmallLetters = true
            for index in bytes.indices {
                let byte = bytes[index]
                let bit = UInt64(1) << UInt64(byte & 63)
                switch byte >> 6 {
                case 0: isThere.0 |= bit
                case 1: isThere.1 |= bit
                case 2: isThere.2 |= bit
                default: isThere.3 |= bit
                }
                hasOnlyDigits = hasOnlyDigits && byte.isDigit
                hasOnlySmallLetters = hasOnlySmallLetters && (0x61...0x7A).contains(byte)
            }
            let kinds =
                isThere.0.nonzeroBitCount + isThere.1.nonzeroBitCount + isThere.2.nonzeroBitCount
                + isThere.3.nonzeroBitCount
            let isWord = bytes.count < 12 && (hasOnlyDigits || hasOnlySmallLetters)
            return kinds < 5 || isWord ? .tooSimple : nil
        }
    }
}

/// A text that is searched for: a secret in one form.
struct SearchedText {
    /// Where it starts among the bytes of all texts.
    let start: Int
    /// How many bytes it has.
    let count: Int
    /// Where its most varied eight bytes start in it, by which it is found.
    let window: Int
    let form: SecretForm
    /// The items with this secret; none for the mark of private keys.
    var items: [Int]

    /// Returns the start of the last of the most varied eight bytes: many secrets begin with the same.
    static func window(of text: Span<UInt8>) -> Int {
        var best = 0
        var most = 0
        for start in 0...min(text.count - 8, 64) {
            var kinds = 0
            for index in start..<start + 8 {
                var isNew = true
                for earlier in start..<index where text[earlier] == text[index] {
                    isNew = false
                }
                kinds += isNew ? 1 : 0
            }
            if kinds >= most {
                most = kinds
                best = start
            }
        }
        return best
    }
}

/// The forms of one secret so far.
private struct FormList: ~Copyable {
    private var digests: Set<Int> = []

    /// Adds a text and returns whether it is new.
    mutating func isNew(_ text: borrowing Secret) -> Bool {
        digests.insert(text.digest).inserted
    }
}

extension Secret {
    fileprivate borrowing func withoutLineBreaksAtEnd() -> Secret {
        withBytes { bytes in
            var count = bytes.count
            while count > 0, bytes[count - 1] == 0x0A || bytes[count - 1] == 0x0D {
                count -= 1
            }
            return Secret(copying: bytes.extracting(first: count))
        }
    }
}
