internal import LinuxSystem

/// Where a sealed keychain and what belongs to it lie.
public struct KeychainLocation: Hashable, Sendable {
    /// The keychain's file, an absolute path. Its folder must be its owner's alone (mode 0700).
    public let file: String
    /// The folder of the machine key, an absolute path, likewise; better not the file's own, so
    /// that a copy of the one does not hold the other.
    public let stateFolder: String
    /// The name under which the state folder knows the keychain again, wherever its file is moved.
    /// Each keychain of a state folder needs a name of its own.
    public let name: String

    /// A keychain in this file, under the machine key in this folder.
    ///
    /// - Parameter name: Its name; nil for the file's without `.keychain`.
    public init(file: String, stateFolder: String, name: String? = nil) {
        self.file = file
        self.stateFolder = stateFolder
        let fileName = PrivatePlace.name(of: file)
        let ending = ".keychain"
        self.name =
            name
            ?? (fileName.hasSuffix(ending) ? String(fileName.dropLast(ending.count)) : fileName)
    }

    /// The folder that the keychain's file is in.
    var dataFolder: String { PrivatePlace.parent(of: file) ?? "/" }

    /// The file's name in that folder.
    var fileName: String { PrivatePlace.name(of: file) }
}
