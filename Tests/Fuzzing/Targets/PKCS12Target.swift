import CLibcrypto
import KeychainServices
import LanyardSecrets

@testable import LanyardCertificates

/// A PKCS #12 file. Where it is a sequence of parts without a check sum of the password, one is added: a fuzzer can't
/// guess it.
enum PKCS12Target: FuzzTarget {
    static let name = "pkcs12"

    static func run(_ input: [UInt8]) {
        read(input)
        Libcrypto.start()
        if let file = authenticated(input) {
            read(file)
        }
    }

    private static func read(_ file: [UInt8]) {
        guard !asksForWork(file) else {
            return
        }
        let contents = attempt { () throws(KeychainError) in
            try PKCS12(Secret(file), password: Secret("secret"))
        }
        for named in contents?.certificates.prefix(2) ?? [] {
            check(named.certificate.der.count <= Certificate.sizeLimit, "a giant certificate")
            check(
                !(named.name ?? "").unicodeScalars.contains {
                    $0.properties.generalCategory == .control
                }, "a name has control characters")
        }
    }

    /// Whether a number of three bytes is in the file: its work is limited, but not to what a fuzzer waits for.
    private static func asksForWork(_ file: [UInt8]) -> Bool {
        file.indices.dropLast(4).contains { file[$0] == 2 && (3...5).contains(file[$0 + 1]) }
    }

    /// Returns the file with a check sum, nil if it has no parts.
    private static func authenticated(_ input: [UInt8]) -> [UInt8]? {
        input.withUnsafeBufferPointer { bytes in
            var position = bytes.baseAddress
            guard let file = d2i_PKCS12(nil, &position, bytes.count) else {
                ERR_clear_error()
                return nil
            }
            defer { PKCS12_free(file) }
            guard PKCS12_set_mac(file, "secret", 6, nil, 0, 1, EVP_sha256()) == 1,
                let encoded = try? Libcrypto.encoding({ i2d_PKCS12(file, $0) })
            else {
                ERR_clear_error()
                return nil
            }
            return encoded
        }
    }
}
