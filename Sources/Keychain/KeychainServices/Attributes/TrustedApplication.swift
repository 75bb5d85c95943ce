/// A program that may read an item's secret without asking the user.
///
/// The library of the reading program checks this, and any program of the user can change an item:
/// it guards against accidents, not against attacks. The corresponding type is
/// SecTrustedApplicationRef.
public struct TrustedApplication: Hashable, Sendable {
    /// The absolute path of the executable, with symbolic links followed, without line breaks.
    public let path: ByteString
    /// The id of the user who owns the executable.
    public let owner: UInt32

    /// Creates one for an executable; nil if the path is not absolute or contains a line break.
    public init?(path: ByteString, owner: UInt32) {
        guard path.bytes.first == UInt8(ascii: "/"), !path.bytes.contains(UInt8(ascii: "\n")) else {
            return nil
        }
        self.path = path
        self.owner = owner
    }

    /// A user id, a space and a path.
    fileprivate var line: [UInt8] { Array("\(owner) ".utf8) + path.bytes }

    fileprivate init?(line: ArraySlice<UInt8>) {
        let parts = line.split(separator: UInt8(ascii: " "), maxSplits: 1)
        guard parts.count == 2, let owner = UInt32(String(decoding: parts[0], as: UTF8.self)) else {
            return nil
        }
        self.init(path: ByteString(Array(parts[1])), owner: owner)
    }
}

extension ItemAttributes {
    /// The programs that may read the secret without asking the user; an empty list, as none, means
    /// all programs.
    ///
    /// They are lines of a text in the stored form. The corresponding type is SecAccessRef.
    public var trustedApplications: [TrustedApplication]? {
        get {
            self[.trustedApplications]?.text?.bytes.split(separator: UInt8(ascii: "\n"))
                .compactMap(TrustedApplication.init(line:))
        }
        set {
            self[.trustedApplications] = newValue.map { applications in
                .text(ByteString(Array(applications.map { $0.line }.joined(separator: [0x0A]))))
            }
        }
    }

    /// Whether a program may read the secret without asking the user. An invalid list trusts no
    /// program.
    ///
    /// - Parameter application: The program, nil for an unknown one; found out only if there is a list.
    package func trust(_ application: @autoclosure () -> TrustedApplication?) -> Bool {
        guard let text = self[.trustedApplications]?.text, !text.isEmpty else {
            return true
        }
        return application().map { trustedApplications?.contains($0) == true } ?? false
    }
}
