/// The place of a sealed keychain and its other files.
public struct KeychainLocation: Hashable, Sendable {
    /// The keychain's file, an absolute path. Only its owner may access its folder (mode 0700).
    public let file: String
    /// The folder of the machine key, an absolute path, also for its owner alone. Use another
    /// folder than the file's: a copy of one then does not contain the other.
    public let stateFolder: String
    /// The name by which the state folder recognizes the keychain, even if its file moves. Each
    /// keychain of a state folder needs its own.
    public let name: String

    /// Creates a location for this file, with the machine key in this folder.
    ///
    /// - Parameter name: Its name; nil for the file's name without `.keychain`.
    public init(file: String, stateFolder: String, name: String? = nil) {
        self.file = file
        self.stateFolder = stateFolder
        self.name = name ?? KeychainLocation.stem(of: file)
    }

    /// Returns a file's name without `.keychain`.
    package static func stem(of file: String) -> String {
        let slash = file.utf8.lastIndex(of: UInt8(ascii: "/"))
        let name = slash.map { file[file.utf8.index(after: $0)...] } ?? file[...]
        let ending = ".keychain"
        return String(name.hasSuffix(ending) ? name.dropLast(ending.count) : name)
    }
}
