import KeychainServices

/// Reads certificates of a form that tests write themselves: one line of text each for subject, issuer, serial
/// number, public key, the first and the last second of validity, and e-mail addresses. A key is its public key,
/// after a dash. The root "good" is trusted.
final class ToyCertificates: CertificateDecoding {
    static func certificate(
        _ subject: String, issuer: String = "bad", serial: String = "1", key: String = "K",
        valid: ClosedRange<Int64> = 100...200, emails: [String] = []
    ) -> Secret {
        let lines = [subject, issuer, serial, key, "\(valid.lowerBound)", "\(valid.upperBound)"]
        return Secret((lines + emails).joined(separator: "\n"))
    }

    static func privateKey(_ key: String = "K") -> Secret { Secret("-\(key)") }

    func attributes(ofCertificate data: Span<UInt8>) throws(KeychainError) -> ItemAttributes {
        let lines = text(data).split(separator: "\n", omittingEmptySubsequences: false)
            .map { ByteString(String($0)) }
        guard lines.count >= 6, let first = Int64(lines[4].description),
            let last = Int64(lines[5].description)
        else {
            throw KeychainError(.decode)
        }
        return ItemAttributes {
            $0.certificateType = 3
            $0.certificateEncoding = 3
            $0.subject = lines[0]
            $0.issuer = lines[1]
            $0.serialNumber = lines[2]
            $0.publicKeyHash = lines[3]
            $0.notValidBefore = Timestamp(secondsSinceEpoch: first)
            $0.notValidAfter = Timestamp(secondsSinceEpoch: last)
            $0.subjectValues = [lines[0]]
            $0.emailAddresses = Array(lines[6...])
            $0.label = lines[0]
        }
    }

    func attributes(
        ofKey data: borrowing Secret, _ keyClass: KeyClass, _ keyType: KeyType
    ) -> ItemAttributes? {
        let text = data.withBytes { self.text($0) }
        guard keyType == .rsa, keyClass == .private, text.first == "-" else {
            return nil
        }
        return ItemAttributes {
            $0.keySizeInBits = 2048
            $0.effectiveKeySize = 2048
            $0.applicationLabel = ByteString(String(text.dropFirst()))
            $0.canSign = true
            $0.canVerify = false
        }
    }

    func isTrusted(_ data: Span<UInt8>, on date: Timestamp?) -> Bool {
        text(data).split(separator: "\n").dropFirst().first == "good"
    }

    private func text(_ data: Span<UInt8>) -> String {
        String(decoding: data.indices.map { data[$0] }, as: UTF8.self)
    }
}

extension ItemAttributes {
    /// The attributes of a private key that ``ToyCertificates`` reads.
    static var privateKey: ItemAttributes {
        ItemAttributes {
            $0.keyClass = .private
            $0.keyType = .rsa
        }
    }
}

extension Keychain {
    /// The keychain in a program that reads ``ToyCertificates``.
    var withCertificates: Keychain { using(ToyCertificates()) }
}
