import Foundation
import Testing

/// The private part of a key on the curve P-256, in the forms in which it could be found.
struct PrivateKeyForms {
    /// The number itself.
    let number: Data
    /// By name.
    let forms: [String: Data]

    /// - Parameter made: The key `ada.key`.
    init(_ made: MadeCertificates, _ home: ScratchHome) async throws {
        let der = "\(home.path)/key-\(UUID().uuidString).der"
        try await home.succeeds(
            "openssl", "pkcs8", "-topk8", "-nocrypt", "-in", made.path("ada.key"), "-outform",
            "DER", "-out", der)
        let bytes = Data(try home.read(der))
        try FileManager.default.removeItem(atPath: der)
        // RFC 5915: the number follows the version 1 and its own tag and length.
        guard let mark = bytes.range(of: Data([0x02, 0x01, 0x01, 0x04, 0x20])) else {
            throw NoNumber()
        }
        number = Data(bytes[mark.upperBound..<mark.upperBound + 32])
        let pem = String(decoding: try home.read(made.path("ada.key")), as: UTF8.self)
        // The second line of the base64 text begins in the middle of the number.
        let line = pem.split(separator: "\n")[2].prefix(24)
        forms = [
            "number": number, "reversed number": Data(number.reversed()), "PEM": Data(line.utf8),
            "hexadecimal": Data(number.map { String(format: "%02x", $0) }.joined().utf8),
            "base64": Data(Data(number.prefix(30)).base64EncodedString().utf8),
        ]
    }

    struct NoNumber: Error {}

    /// What is found, as `FORM in NAME`.
    func search(_ files: [String: [UInt8]]) -> [String] {
        files.flatMap { name, bytes in
            let bytes = Data(bytes)
            return forms.filter { bytes.range(of: $0.value) != nil }.map { "\($0.key) in \(name)" }
        }
    }
}
