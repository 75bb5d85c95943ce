internal import Keychain
internal import LinuxSystem

/// Which folders a keychain's file may lie in.
enum FolderRule {
    /// One that is its owner's alone.
    case isPrivate
    /// One in which nobody else can make files, which is enough for a copy that is only looked at.
    case isNotWritableByOthers
    /// Any: for a file that was just made there under a name that nobody knew before.
    case any

    func check(_ folder: String) throws(KeychainError) {
        switch self {
        case .isPrivate: try PrivatePlace.checkFolder(folder)
        case .isNotWritableByOthers: try PrivatePlace.checkFolderIsNotWritableByOthers(folder)
        case .any: break
        }
    }
}
