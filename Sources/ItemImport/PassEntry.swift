public import Keychain

/// One entry of pass, the password store: a file that gpg has decrypted.
public struct PassEntry: Sendable {
    /// The name of the entry, for example `web/example.com/ada`.
    public let name: ByteString

    /// The entry of a name.
    ///
    /// - Parameter name: The path of its file in the store, without `.gpg`.
    public init(name: ByteString) {
        self.name = name
    }

    /// What the entry is to the keychain.
    ///
    /// - Parameter text: All of the decrypted file.
    public func content(of text: borrowing Secret) -> ImportRecord.Content {
        .skipped(reason: "it has no password")
    }
}
