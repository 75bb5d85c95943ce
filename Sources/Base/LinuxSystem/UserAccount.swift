internal import Glibc
internal import LanyardSecrets

/// A user of this machine, as in /etc/passwd and /etc/group.
///
/// A static program can't ask the name service, so it doesn't know users of a directory server.
package struct UserAccount: Equatable {
    /// The user and the groups.
    package let identity: UserIdentity
    /// The absolute path of the user's home folder.
    package let home: String

    /// Finds the user with a name.
    ///
    /// - Parameters:
    ///   - users: The bytes of passwd(5).
    ///   - groups: The bytes of group(5).
    /// - Returns: nil if there is none, or the line is invalid.
    package init?(named name: String, users: [UInt8], groups: [UInt8]) {
        let name = Array(name.utf8)
        guard !name.isEmpty,
            let fields = UserAccount.lines(of: users).first(where: {
                $0.count == 7 && Array($0[0]) == name
            }),
            let user = UserAccount.number(fields[2]), let group = UserAccount.number(fields[3]),
            let home = String(validating: fields[5], as: UTF8.self), home.hasPrefix("/"),
            !fields[5].contains(0)
        else {
            return nil
        }
        var numbers = [group]
        for fields in UserAccount.lines(of: groups) where fields.count == 4 {
            let members = fields[3].split(separator: UInt8(ascii: ","))
            if members.contains(where: { Array($0) == name }),
                let number = UserAccount.number(fields[2]), !numbers.contains(number)
            {
                numbers.append(number)
            }
        }
        identity = UserIdentity(user: user, group: group, groups: numbers)
        self.home = home
    }

    /// Finds the user with a name on this machine, nil if there is none.
    package static func find(_ name: String) -> UserAccount? {
        guard let users = try? read(usersFile) else {
            return nil
        }
        return UserAccount(
            named: name, users: users, groups: (try? read("/etc/group")) ?? [])
    }

    /// Returns the name of the user with a number, nil if there is none.
    ///
    /// - Parameter users: The bytes of passwd(5).
    package static func name(of user: UInt32, users: [UInt8]) -> String? {
        let fields = lines(of: users).first { $0.count == 7 && number($0[2]) == user }
        guard let name = fields?[0], !name.isEmpty else {
            return nil
        }
        return String(validating: name, as: UTF8.self)
    }

    /// Returns the name of the user that this process acts as, nil if this machine has none.
    package static var ownName: String? {
        (try? read(usersFile)).flatMap { name(of: SystemCalls.effectiveUser, users: $0) }
    }

    private static let usersFile = "/etc/passwd"

    private static func lines(of bytes: [UInt8]) -> some Sequence<[ArraySlice<UInt8>]> {
        bytes.split(separator: UInt8(ascii: "\n")).lazy.map {
            $0.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        }
    }

    /// The highest number is none: setresuid(2) takes it for "unchanged".
    private static func number(_ field: ArraySlice<UInt8>) -> UInt32? {
        let number = field.span.decimalNumber.flatMap { UInt32(exactly: $0) }
        return number == .max ? nil : number
    }

    private static func read(_ path: String) throws(SystemCallError) -> [UInt8] {
        let file = Descriptor(owning: try SystemCalls.open(path, O_RDONLY))
        var bytes: [UInt8] = []
        while true {
            let part = try SystemCalls.read(file.number, 1 << 16, at: bytes.count)
            guard !part.isEmpty, bytes.count < sizeLimit else {
                return bytes
            }
            bytes += part
        }
    }

    private static let sizeLimit = 64 << 20
}
