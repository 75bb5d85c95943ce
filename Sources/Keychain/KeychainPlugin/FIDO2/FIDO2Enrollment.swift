internal import LanyardSecrets

/// What it takes to ask a security key for a secret again: the salt, from which it computes the secret with a key
/// of its own, and the name of that key. Without the device neither says anything about the secret.
struct FIDO2Enrollment {
    let salt: [UInt8]
    let credential: [UInt8]

    static let saltSize = 32

    init(salt: [UInt8], credential: [UInt8]) {
        self.salt = salt
        self.credential = credential
    }

    /// Version (1 byte, 1), salt (32) and the credential's id.
    var encoded: [UInt8] { [1] + salt + credential }

    /// - Throws: ``Status/param`` for data of another program or version.
    init(_ encoded: [UInt8]) throws(KeychainError) {
        guard encoded.first == 1, encoded.count > 1 + FIDO2Enrollment.saltSize else {
            throw KeychainError(
                .param, "this lanyard-presence-fido2 can't read an enrollment",
                hint: "install a newer lanyard")
        }
        salt = Array(encoded[1..<(1 + FIDO2Enrollment.saltSize)])
        credential = Array(encoded[(1 + FIDO2Enrollment.saltSize)...])
    }
}
