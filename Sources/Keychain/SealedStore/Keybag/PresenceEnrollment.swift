public import KeychainServices

/// A device or another way by which the user shows to be present, as a presence program enrolled it. The
/// man page lanyard-plugin(7) describes these programs.
public struct PresenceEnrollment: Hashable, Sendable {
    /// The program: `fido2` for lanyard-presence-fido2. Small letters, digits and hyphens.
    public let program: String
    /// The name for the user, different for each enrollment of a keychain.
    public let name: String
    /// For how many seconds one touch serves all items that ask; 0 for one touch at each use.
    public let seconds: UInt32
    /// When it was added, nil if it is not yet.
    public internal(set) var added: Timestamp?
    /// What the program needs to know again, and stores nowhere itself. Nothing secret.
    public let data: [UInt8]

    /// The most enrollments of a keychain.
    public static let limit = 8
    /// For how many seconds a touch serves if the user does not say.
    public static let usualSeconds: UInt32 = 300
    /// The most seconds that a touch can serve: a day.
    public static let longestSeconds: UInt32 = 86_400
    /// The lengths of a secret, in bytes.
    static let secretLengths = 16...64
    /// The most bytes of ``data``.
    public static let dataLimit = 4096

    /// Creates an enrollment.
    ///
    /// - Throws: ``Status/param`` for a name that is empty, long or no plain text, and values beyond the
    ///   limits.
    public init(
        program: String, name: String, seconds: UInt32 = usualSeconds, data: [UInt8]
    ) throws(KeychainError) {
        guard PresenceEnrollment.isProgram(program) else {
            throw KeychainError(.param, "invalid name of a presence program: '\(program)'")
        }
        guard (1...64).contains(name.utf8.count),
            name.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
        else {
            throw KeychainError(.param, "the name of a security key has 1 to 64 bytes of text")
        }
        guard seconds <= PresenceEnrollment.longestSeconds else {
            throw KeychainError(.param, "a touch can serve for a day at most")
        }
        guard (1...PresenceEnrollment.dataLimit).contains(data.count) else {
            throw KeychainError(
                .param, "an enrollment has 1 to \(PresenceEnrollment.dataLimit) bytes")
        }
        self.program = program
        self.name = name
        self.seconds = seconds
        self.data = data
    }

    /// Returns whether a text can name a presence program: it becomes part of a file's name.
    public static func isProgram(_ text: String) -> Bool {
        (1...32).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                    || byte == UInt8(ascii: "-")
            }
    }
}

extension PresenceEnrollment {
    /// Appends the program, the name (each with its length), the seconds (4 bytes), the time at which it was
    /// added (8 bytes) and the data with its length.
    func encode(to writer: inout ByteWriter) {
        writer.counted(Array(program.utf8))
        writer.counted(Array(name.utf8))
        writer.number(seconds)
        writer.number(added?.secondsSinceEpoch ?? 0)
        writer.counted(data)
    }

    /// - Throws: ``Status/decode``.
    init(from reader: inout ByteReader) throws(KeychainError) {
        let program = try reader.counted()
        let name = try reader.counted()
        guard let program = String(validating: program, as: UTF8.self),
            let name = String(validating: name, as: UTF8.self)
        else {
            throw KeychainError(.decode)
        }
        let seconds = try reader.number(UInt32.self)
        let added = try reader.number(Int64.self)
        let data = try reader.counted()
        do throws(KeychainError) {
            try self.init(program: program, name: name, seconds: seconds, data: data)
        } catch {
            throw KeychainError(.decode)
        }
        self.added = Timestamp(secondsSinceEpoch: added)
    }
}
