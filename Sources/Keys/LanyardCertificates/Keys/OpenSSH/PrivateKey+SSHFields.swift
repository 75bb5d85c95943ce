package import LanyardSecrets

extension PrivateKey {
    /// Creates a key from the fields in which SSH agents get keys: the type's name and the numbers, which are
    /// those of openssh-key-v1 files. draft-ietf-sshm-ssh-agent, "Adding keys to the agent".
    ///
    /// - Throws: ``Status/unsupportedKeyFormat`` for other types; ``Status/invalidKeyFormat``,
    ///   ``Status/publicKeyInconsistent`` and ``Status/unsupportedKeySize`` for fields that don't fit.
    package convenience init(sshFields fields: borrowing Secret) throws(KeychainError) {
        self.init(
            sameAs: try fields.withBytes { bytes throws(KeychainError) in
                var reader = SSHReader()
                let name = bytes.extracting(try reader.string(in: bytes))
                guard let type = SSHKeyType(name: name) else {
                    throw .unsupportedKeyType
                }
                let key = try PrivateKey.read(openSSH: type, &reader, in: bytes)
                try reader.finish(in: bytes)
                return key
            })
    }
}
