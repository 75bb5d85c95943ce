import KeychainServices
import LanyardSecrets

@testable import LanyardCertificates

/// A file with certificates and keys in any form. Keys with a password are left out: its derivation is limited, but
/// not to what a fuzzer waits for.
enum CertificateBundleTarget: FuzzTarget {
    static let name = "certificate-bundle"

    static func run(_ input: [UInt8]) {
        let contents = attempt { () throws(KeychainError) in
            try CertificatesAndKeys(Secret(input)) { () throws(KeychainError) in
                throw KeychainError(.userCanceled)
            }
        }
        guard let contents else {
            return
        }
        check(
            !contents.certificates.isEmpty || !contents.privateKeys.isEmpty
                || !contents.publicKeys.isEmpty, "a file has nothing in it")
        for named in contents.certificates.prefix(2) {
            CertificateTarget.use(named.certificate)
        }
    }
}
