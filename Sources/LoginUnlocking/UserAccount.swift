internal import Glibc
internal import KeychainServices
internal import LinuxSystem

/// A user of this machine, as in /etc/passwd and /etc/group.
///
/// A static program can't ask the name service, so it doesn't know users of a directory server.
struct UserAccount: Equatable {
    let identity: UserIdentity
    /// The absolute path of the user's home folder.
    let home: String

    /// Finds the user with a name.
    ///
    /// - Parameters:
    ///   - users: The bytes of passwd(5).
    ///   - groups: The bytes of group(5).
    /// - Returns: nil if there is none, or the line is invalid.
    init?(named name: String, users: [UInt8], groups: [UInt8]) {
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
    static func find(_ name: String) -> UserAccount? {
        guard let users = try? read("/etc/passwd") else {
            return nil
        }
        return UserAccount(
            named: name, users: users, groups: (try? read("/etc/group")) ?? [])
    }

    private static func lines(of bytes: [UInt8]) -> some Sequence<[ArraySlice<UInt8>]> {
        bytes.split(separator: UInt8(ascii: "\n")).lazy.map {
            $0.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        }
    }

    /// The highest number is none: setresuid(2) takes it for "unchanged".
    private static func number(_ field: ArraySlice<UInt8>) -> UInt32? {
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        guard field.allSatisfy(digits.contains),
            let number = UInt32(String(decoding: field, as: UTF8.self)), number != .max
        else {
            return nil
        }
        return number
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
