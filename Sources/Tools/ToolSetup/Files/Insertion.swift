internal import KeychainServices
internal import ToolCatalog

/// A setup's insertion in a file, with enough detail to remove it after other changes.
enum Insertion: Hashable, Sendable {
    /// These lines of a git configuration.
    case gitBlock([UInt8])
    /// docker's `credsStore`, which replaced this JSON value, nil for none.
    case credsStore(replaced: [UInt8]?)
    /// The lines of a drop-in of registries.conf.
    case registriesDropIn
    /// The whole file, which starts lanyard-secret-service.
    case serviceFile
    /// A symbolic link.
    case link
    /// Lines of a text file.
    case settings([SettingsSection])
    /// Our program as the login of these users of a kubeconfig.
    case kubeconfig(users: [String])
    /// A whole text file with these lines.
    case wholeFile([SettingsSection])
    /// A whole file: a shim.
    case shim

    /// Returns the bytes without the insertion.
    ///
    /// - Parameter original: The bytes before the setup, nil if the file did not exist.
    /// - Throws: ``Status/decode`` if the file has become invalid.
    func removed(
        from bytes: FileBytes, original: FileBytes?, path: String
    ) throws(KeychainError) -> FileBytes {
        switch self {
        case .gitBlock(let block):
            return GitConfigBlock.removing(block, from: bytes, original: original ?? "")
        case .credsStore(let replaced):
            return try DockerConfigText(bytes, path: path).takingBack(replaced)
        case .registriesDropIn:
            return RegistriesDropIn.removed(from: bytes)
        case .serviceFile:
            // Lines were changed in it, but it is still the setup's.
            return SecretServiceSetup.startsLanyard(bytes) ? original ?? "" : bytes
        case .link:
            return bytes
        case .shim, .wholeFile:
            // A file that was changed is the user's own.
            return bytes
        case .settings(let sections):
            var text = SettingsText(bytes)
            for section in sections {
                text.remove(section)
            }
            return text.bytes
        case .kubeconfig(let users):
            var bytes = bytes
            for user in users {
                // One that names another program now is the user's own.
                let file = try Kubeconfig(bytes)
                bytes = file.program(of: user) == nil ? bytes : file.removingLogin(of: user)
            }
            return bytes
        }
    }

    /// How its file is read and written.
    var style: FileStyle {
        switch self {
        case .gitBlock: .git
        case .link: .link
        case .shim: .program
        case .credsStore, .kubeconfig, .registriesDropIn, .serviceFile, .settings, .wholeFile:
            .secret
        }
    }

    /// Whether a file that the setup created contains nothing worth keeping.
    func isNothing(_ bytes: FileBytes, path: String) -> Bool {
        switch self {
        case .gitBlock, .registriesDropIn, .serviceFile, .link, .settings:
            bytes.allSatisfy(\.isWhitespace)
        case .credsStore:
            (try? DockerConfigText(bytes, path: path))?.isEmpty ?? false
        case .kubeconfig, .shim, .wholeFile: false
        }
    }
}
