import KeychainServices
import SealedStore

/// Logins to look up among: the same ones for every program.
enum Login {
    static func host(_ number: Int) -> String { "host-\(number).example.com" }
    static let user = "a-user"
    static func password(_ number: Int) -> String { "a-password-\(number)" }

    /// Which of `count` logins a round asks for: another one each time, spread over all of them, the
    /// one in the middle first. A program that reads them one by one reads half of them on average.
    static func wanted(_ round: Int, of count: Int) -> Int {
        let golden = 0.618_033_988_75
        return Int(
            (0.5 + Double(round) * golden).truncatingRemainder(dividingBy: 1) * Double(count))
    }
}

/// A LANYARD_HOME whose keychain holds the first logins, as both helpers would have stored them,
/// filled in one transaction.
func filledHome(_ count: Int, group: String) throws -> String {
    _ = try filledStore(count, group: group)
    return home(count, group: group)
}

/// Where the keychain of ``filledStore(_:group:name:)`` is at home.
func home(_ count: Int, group: String, name: String = "plain") -> String {
    "\(Options.scratch)/lanyard-\(group)-\(name)-\(count)"
}

/// The keychain itself.
func filledStore(
    _ count: Int, group: String, name: String = "plain"
) throws -> SealedStore {
    try filledStore(count, group: group, in: home(count, group: group, name: name))
}

/// The keychain of a LANYARD_HOME.
func filledStore(_ count: Int, group: String, in home: String) throws -> SealedStore {
    let store = try SealedStore.openOrMake(
        at: KeychainLocation(file: "\(home)/data/login.keychain", stateFolder: "\(home)/state"))
    let keychain = Keychain(store, accessGroup: ByteString(group))
    try keychain.transaction { () throws(KeychainError) in
        for number in 0..<count {
            var attributes = ItemAttributes()
            attributes.protocol = .https
            attributes.server = ByteString(Login.host(number))
            attributes.account = ByteString(Login.user)
            try keychain.add(
                .internetPassword, attributes, secret: Secret(Login.password(number)))
        }
    }
    return store
}

/// A file of git-credential-store with the first logins.
func filledStoreFile(_ count: Int) -> String {
    let path = "\(Options.scratch)/git-credentials-\(count)"
    write(
        path,
        (0..<count).map {
            "https://\(Login.user):\(Login.password($0))@\(Login.host($0))\n"
        }.joined())
    return path
}
