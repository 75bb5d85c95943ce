internal import LinuxSystem

/// Where a sealed keychain and what belongs to it lie.
public struct KeychainLocation: Hashable, Sendable {
    /// The keychain's file, an absolute path. Its folder must be its owner's alone (mode 0700).
    public let file: String
    /// The folder of the machine key, an absolute path, likewise; better not the file's own, so
    /// that a copy of the one does not hold the other.
    public let stateFolder: String

    /// A keychain in this file, under the machine key in this folder.
    public init(file: String, stateFolder: String) {
        self.file = file
        self.stateFolder = stateFolder
    }

    /// The folder that the keychain's file is in.
    var dataFolder: String { PrivatePlace.parent(of: file) ?? "/" }

    /// The file's name in that folder.
    var fileName: String { PrivatePlace.name(of: file) }
}
