internal import KeychainServices
internal import LinuxSystem

extension KeychainLocation {
    /// Whether it is a copy's, which commands know by its path alone.
    var isOfCopy: Bool { name.utf8.contains(UInt8(ascii: "/")) }

    /// The folder of the keychain's file.
    var dataFolder: String { PrivatePlace.folder(of: file) }

    /// The file's name in that folder.
    var fileName: String { PrivatePlace.name(of: file) }
}
