internal import KeychainServices

/// A setup's insertion in a file, with enough detail to remove it after other changes.
enum Insertion: Hashable, Sendable {
    /// These lines of a git configuration.
    case gitBlock([UInt8])
    /// docker's `credsStore`, which replaced this JSON value, nil for none.
    case credsStore(replaced: [UInt8]?)
    /// The lines of a drop-in of registries.conf.
    case registriesDropIn

    /// Returns the bytes without the insertion.
    ///
    /// - Parameter original: The bytes before the setup, nil if the file did not exist.
    /// - Throws: ``Status/decode`` if the file has become invalid.
    func removed(
        from bytes: [UInt8], original: [UInt8]?, path: String
    ) throws(KeychainError) -> [UInt8] {
        switch self {
        case .gitBlock(let block):
            return GitConfigBlock.removing(block, from: bytes, original: original ?? [])
        case .credsStore(let replaced):
            return try DockerConfigText(bytes, path: path).takingBack(replaced)
        case .registriesDropIn:
            return RegistriesDropIn.removed(from: bytes)
        }
    }

    /// Whether a file that the setup created contains nothing worth keeping.
    func isNothing(_ bytes: [UInt8], path: String) -> Bool {
        switch self {
        case .gitBlock, .registriesDropIn:
            bytes.allSatisfy(\.isBlank)
        case .credsStore:
            (try? DockerConfigText(bytes, path: path))?.isEmpty ?? false
        }
    }
}

extension UInt8 {
    /// Whether it is a space, a tab or a line end.
    var isBlank: Bool { self == 0x20 || (0x09...0x0D).contains(self) }
}
