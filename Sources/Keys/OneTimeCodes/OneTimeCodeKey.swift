internal import CLibcrypto
internal import LanyardCertificates
package import LanyardSecrets

extension ByteString {
    /// The access group of keys for one-time codes. Their items have the names and accounts of the logins
    /// that the codes are for, and otpauth URLs as secrets.
    package static let codeGroup: ByteString = "code"
}

/// A key that makes one-time codes from the time: TOTP, RFC 6238.
package struct OneTimeCodeKey: ~Copyable {
    private enum Algorithm {
        case sha1, sha256, sha512
    }

    private var key = Secret("")
    /// The key as the URL has it, in Base32.
    package private(set) var text = Secret("")
    private var algorithm = Algorithm.sha1
    private var digits = 6
    /// How many seconds a code is valid.
    package private(set) var period = 30

    private static let scheme: StaticString = "otpauth://"

    /// Whether a secret begins as an otpauth URL does.
    package static func isURL(_ secret: borrowing Secret) -> Bool {
        secret.withBytes { beginning($0, equals: scheme) }
    }

    /// Returns the otpauth URL for a key: as it is if the key is one already, otherwise with the key, in
    /// Base32, and a label.
    ///
    /// - Throws: As ``init(url:)``; ``Status/param`` for a key that is not in Base32.
    package static func url(
        of text: borrowing Secret, label: ByteString
    ) throws(KeychainError) -> Secret {
        let text = text.withBytes { Secret(copying: $0.extracting($0.withoutWhitespace)) }
        if isURL(text) {
            _ = try OneTimeCodeKey(url: text)
            return text.copy()
        }
        guard text.withBytes({ Base32.decode($0) != nil }) else {
            throw KeychainError(
                .param, "the key is neither an otpauth URL nor in Base32",
                hint: "copy the text that the service shows beside its QR code")
        }
        var url = SecretBuilder(capacity: 64 + text.count + label.bytes.count * 3)
        url.append("otpauth://totp/")
        url.append(percentEncoding: label.bytes.span)
        url.append("?secret=")
        text.withBytes { digits in
            for index in digits.indices {
                let digit = digits[index]
                switch digit {
                case UInt8(ascii: " "), UInt8(ascii: "-"), UInt8(ascii: "="): break
                case UInt8(ascii: "a")...UInt8(ascii: "z"): url.append(digit & 0xDF)
                default: url.append(digit)
                }
            }
        }
        return url.finish()
    }

    /// Reads an otpauth URL.
    ///
    /// - Throws: ``Status/param`` for other URLs, for codes that a counter makes, for Steam's, which have letters, and
    ///   for values other than SHA1, SHA256 and SHA512, 6 to 8 digits, and 1 to 3600 seconds.
    package init(url: borrowing Secret) throws(KeychainError) {
        guard OneTimeCodeKey.isURL(url) else {
            throw KeychainError(.param, "the item has no key for one-time codes")
        }
        let rest = url.dropping(OneTimeCodeKey.scheme.utf8CodeUnitCount)
        try rest.withBytes { text throws(KeychainError) in
            guard !OneTimeCodeKey.beginning(text, equals: "hotp/") else {
                throw KeychainError(.param, "one-time codes that a counter makes are not supported")
            }
            guard !OneTimeCodeKey.beginning(text, equals: "steam/") else {
                throw OneTimeCodeKey.isSteams
            }
            guard OneTimeCodeKey.beginning(text, equals: "totp/"),
                let mark = text.indices.first(where: { text[$0] == UInt8(ascii: "?") })
            else {
                throw OneTimeCodeKey.invalid
            }
            var start = mark + 1
            while start < text.count {
                var end = start
                while end < text.count, text[end] != UInt8(ascii: "&"),
                    text[end] != UInt8(ascii: "#")
                {
                    end += 1
                }
                try take(text.extracting(start..<end))
                start = end + 1
            }
        }
        guard key.count > 0 else {
            throw OneTimeCodeKey.invalid
        }
    }

    /// Reads `name=value`. Unknown names are ignored.
    private mutating func take(_ parameter: Span<UInt8>) throws(KeychainError) {
        guard let sign = parameter.indices.first(where: { parameter[$0] == UInt8(ascii: "=") })
        else {
            return
        }
        let name = parameter.extracting(0..<sign)
        var decoded = SecretBuilder(capacity: parameter.count)
        decoded.append(percentDecoding: parameter.extracting(sign + 1..<parameter.count))
        let value = decoded.finish()
        if name.equalsIgnoringCase("secret") {
            guard let key = value.withBytes({ Base32.decode($0) }) else {
                throw OneTimeCodeKey.invalid
            }
            self.key = key
            text = value.copy()
        } else if name.equalsIgnoringCase("algorithm") {
            let algorithm: Algorithm? = value.withBytes { value in
                if value.equalsIgnoringCase("sha1") {
                    .sha1
                } else if value.equalsIgnoringCase("sha256") {
                    .sha256
                } else if value.equalsIgnoringCase("sha512") {
                    .sha512
                } else {
                    nil
                }
            }
            guard let algorithm else {
                throw KeychainError(.param, "the algorithm of the one-time code is not supported")
            }
            self.algorithm = algorithm
        } else if name.equalsIgnoringCase("digits") {
            digits = try OneTimeCodeKey.number(value, in: 6...8, "digits")
        } else if name.equalsIgnoringCase("period") {
            period = try OneTimeCodeKey.number(value, in: 1...3600, "period")
        } else if name.equalsIgnoringCase("encoder"),
            value.withBytes({ $0.equalsIgnoringCase("steam") })
        {
            // KeePassXC writes it. Digits would be a wrong code.
            throw OneTimeCodeKey.isSteams
        }
    }

    private static func number(
        _ text: borrowing Secret, in range: ClosedRange<Int>, _ name: String
    ) throws(KeychainError) -> Int {
        let number = text.withBytes { $0.decimalNumber.map { Int($0) } }
        guard let number, text.count <= 4, range.contains(number) else {
            throw KeychainError(
                .param,
                "the \(name) of a one-time code must be \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    private static let invalid = KeychainError(.param, "invalid otpauth URL")
    private static let isSteams = KeychainError(.param, "Steam's codes are not supported")

    /// Compares the first bytes with a text, and ignores the case of letters.
    private static func beginning(_ bytes: Span<UInt8>, equals text: StaticString) -> Bool {
        bytes.extracting(first: text.utf8CodeUnitCount).equalsIgnoringCase(text)
    }

    /// Returns how many seconds the code of a time stays valid.
    package func secondsLeft(at time: Timestamp) -> Int {
        period - Int(time.secondsSinceEpoch % Int64(period))
    }

    /// Returns the code of a time.
    package func code(at time: Timestamp) -> Secret {
        let counter = UInt64(max(0, time.secondsSinceEpoch)) / UInt64(period)
        let digest = digest(of: counter)
        let number: UInt32 = digest.withBytes { bytes in
            // RFC 4226, section 5.3.
            let offset = Int(bytes[bytes.count - 1] & 15)
            var number: UInt32 = 0
            for index in offset..<offset + 4 {
                number = number << 8 | UInt32(bytes[index])
            }
            return number & 0x7FFF_FFFF
        }
        var code = SecretBuilder(capacity: 16)
        var divisor: UInt32 = 1
        for _ in 1..<digits {
            divisor *= 10
        }
        while divisor > 0 {
            code.append(UInt8(ascii: "0") + UInt8(number / divisor % 10))
            divisor /= 10
        }
        return code.finish()
    }

    /// The corresponding C function is `HMAC`.
    private func digest(of counter: UInt64) -> Secret {
        let message = (0..<8).map { UInt8(truncatingIfNeeded: counter >> UInt64(56 - 8 * $0)) }
        let algorithm = algorithm
        Libcrypto.start()
        // Safe: the largest digest has 64 bytes, as has the memory; the bytes are lent for the call.
        return unsafe Secret(capacity: 64) { memory in
            var length: UInt32 = 0
            key.withBytes { key in
                unsafe key.withUnsafeBytes { key in
                    let function =
                        switch algorithm {
                        case .sha1: unsafe EVP_sha1()
                        case .sha256: unsafe EVP_sha256()
                        case .sha512: unsafe EVP_sha512()
                        }
                    let result = unsafe HMAC(
                        function, key.baseAddress, Int32(key.count), message, message.count,
                        memory.baseAddress!.assumingMemoryBound(to: UInt8.self), &length)
                    precondition(unsafe result != nil, "libcrypto computes digests")
                }
            }
            return Int(length)
        }
    }
}
