internal import KeychainServices
internal import SealedStore
internal import StrictJSON

extension JSONWriter {
    /// Writes a keychain's security keys as an array. Part of the stable output: see lanyard-presence(1) and
    /// lanyard-status(1), "JSON".
    mutating func write(_ enrollments: [PresenceEnrollment]) throws(KeychainError) {
        try writeObjects(of: enrollments) { writer, enrollment throws(KeychainError) in
            try writer.member("name", enrollment.name)
            try writer.member("program", enrollment.program)
            try writer.member("seconds", Int(enrollment.seconds))
            try writer.member("added", enrollment.added?.text)
        }
    }
}
