import Foundation
import Glibc
import TestSupport
import Testing

/// A user who is neither root nor whoever runs the tests, without a single right of root's.
enum AnotherUser {
    static let id: uid_t = 65534

    /// A third user, whom the other one attacks.
    static let victim: uid_t = 65533

    /// The first number of users with passwords: numbers that no machine gives to anyone.
    static let firstAdded: uid_t = 64_711

    /// The words before a program that run it as that user.
    static let arguments = arguments(id)

    /// The same for any user, by `setpriv`.
    static func arguments(_ user: uid_t) -> [String] {
        [
            "--reuid=\(user)", "--regid=\(user)", "--clear-groups", "--inh-caps=-all",
            "--bounding-set=-all",
        ]
    }
}

extension ScratchHome {
    /// A copy of the helper that other users can run; where it was built they may not look.
    func copyOfHelper() throws -> String {
        let copy = "\(path)/git-credential-lanyard"
        try ScratchFolder.copyProgram(
            "\(try Programs.folder())/git-credential-lanyard", to: copy)
        return copy
    }

    /// Copies of programs that other users can run, in one folder; its path.
    func copiesOfPrograms(_ names: [String]) throws -> String {
        let folder = "\(path)/programs"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false)
        chmod(folder, 0o755)
        for name in names {
            // A helper's name is a link.
            let program = URL(filePath: "\(try Programs.folder())/\(name)")
                .resolvingSymlinksInPath().path
            try ScratchFolder.copyProgram(program, to: "\(folder)/\(name)")
        }
        return folder
    }

    /// A folder that belongs to the other user.
    func folderOfAnotherUser() throws -> String {
        try folder("another", of: AnotherUser.id)
    }

    /// A folder that belongs to a user.
    func folder(_ name: String, of user: uid_t, mode: mode_t = 0o700) throws -> String {
        let folder = "\(path)/\(name)"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        chown(folder, user, user)
        chmod(folder, mode)
        return folder
    }

    /// A copy of /etc, to be mounted over it, with more users, whose numbers count from ``AnotherUser/firstAdded`` in
    /// the order of their names; its path.
    func copyOfEtc(
        _ name: String = "etc", adding passwords: [String: String]
    ) async throws -> String {
        let folder = "\(path)/\(name)"
        try await shell("cp -a /etc \"$1\"", folder)
        for (number, user) in passwords.keys.sorted().enumerated() {
            try await shell(
                """
                echo "$2:x:$3:$3::/:/bin/sh" >>"$1/passwd"
                echo "$2:$(openssl passwd -6 "$4"):20000:0:99999:7:::" >>"$1/shadow"
                """, folder, user, "\(Int(AnotherUser.firstAdded) + number)", passwords[user] ?? "")
        }
        return folder
    }
}
