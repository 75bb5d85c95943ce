/// Why an entry makes no item, for users: `entry 17 is skipped: it has no password`.
enum SkipReason {
    static let noPassword = "it has no password"
    static let recycleBin = "it is in the recycle bin"
    static let unread = "it has a secret in a form or place that Lanyard doesn't read"
    static let noHost = "it has no host"
    static let noName = "it has no name and no readable address"
}
