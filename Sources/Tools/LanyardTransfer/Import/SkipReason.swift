/// Why an entry makes no item, for users: `entry 17 is skipped: it has no password`.
enum SkipReason {
    static let noPassword = "it has no password"
    static let recycleBin = "it is in the recycle bin"
    static let unread = "it has a secret in a form or place that Lanyard doesn't read"
    static let continued = "a value in it goes on in the next line"
    /// How the reason begins that a program renews a secret itself.
    static let session = "it belongs to a session that"
    static let noObject = "it is not an object of JSON"
    static let noHost = "it has no host"
    static let noName = "it has no name and no readable address"
}
