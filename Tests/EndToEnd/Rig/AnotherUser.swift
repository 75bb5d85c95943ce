import Foundation
import Glibc

/// A user who is neither root nor whoever runs the tests, without a single right of root's.
enum AnotherUser {
    static let id: uid_t = 65534

    /// What stands before a program to run it as that user.
    static let arguments = [
        "--reuid=\(id)", "--regid=\(id)", "--clear-groups", "--inh-caps=-all",
        "--bounding-set=-all",
    ]
}

extension ScratchHome {
    /// A copy of the helper that other users can run; where it was built they may not look.
    func copyOfHelper() throws -> String {
        let copy = "\(path)/helper"
        try FileManager.default.copyItem(
            atPath: "\(try Programs.folder())/git-credential-lanyard", toPath: copy)
        chmod(copy, 0o755)
        return copy
    }

    /// A folder that belongs to the other user.
    func folderOfAnotherUser() throws -> String {
        let folder = "\(path)/another"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700])
        chown(folder, AnotherUser.id, AnotherUser.id)
        return folder
    }
}
