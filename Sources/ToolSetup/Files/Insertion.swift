internal import KeychainServices

/// What a setup put into a file: enough to take it out again when the rest of the file has been
/// changed since.
enum Insertion: Hashable, Sendable {
    /// These lines of a git configuration.
    case gitBlock([UInt8])
    /// docker's `credsStore`, in place of this JSON value, nil if there was none.
    case credsStore(replaced: [UInt8]?)
    /// The lines of a drop-in of registries.conf.
    case registriesDropIn

    /// The bytes without what was put in.
    ///
    /// - Parameter original: The bytes before the setup, nil if there was no file.
    /// - Throws: ``Status/decode`` if the file can no longer be read as what it should be.
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

    /// Whether a file that the setup made holds nothing worth keeping.
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
    /// Whether it is a space, a tab or the end of a line.
    var isBlank: Bool { self == 0x20 || (0x09...0x0D).contains(self) }
}
