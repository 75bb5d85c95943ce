import KeychainServices
import Keychains

/// The code of the article Getting started.
func gettingStarted() throws {
    let keychain = try Keychain.login()

    try keychain.setPassword("a token", service: "my-program", account: "ada")
    let token = try keychain.password(service: "my-program", account: "ada")
    print("the token is \(token == nil ? "missing" : "stored")")

    try storeSecret(in: keychain)
    try storeLogin(in: keychain)
    try searchInOtherWays(in: keychain)
    try handleErrors(in: keychain)
    try deleteEverything(in: keychain)
    try nameAccessGroups()
    try testInMemory()
}

private func storeSecret(in keychain: Keychain) throws {
    let tokens = SecureStore(
        keychain: keychain, queryable: GenericPasswordQueryable(service: "my-program"))
    try tokens.setValue(Secret("a token"), for: "bob")
    if let token = try tokens.getValue(for: "bob") {
        token.withBytes { bytes in print("\(bytes.count) bytes") }
    }
}

private func storeLogin(in keychain: Keychain) throws {
    var login = ItemAttributes()
    login.server = "git.example.org"
    login.protocol = .https
    login.account = "ada"
    try keychain.add(.internetPassword, login, secret: Secret("a token"))

    var wanted = ItemAttributes()
    wanted.server = "git.example.org"
    let query = Query(.internetPassword, wanted, returns: [.attributes, .data])
    if let item = try keychain.firstMatch(of: query) {
        print(item.attributes?.account ?? "no account")
    }
    for attributes in try keychain.attributes(of: Query(.internetPassword)) {
        print(attributes.server ?? "no server")
    }
}

private func searchInOtherWays(in keychain: Keychain) throws {
    var mail = Query(.genericPassword, returns: [.attributes, .reference])
    mail.attributes.service = "mail."
    mail.match.textAnchor = .start
    mail.match.diacriticInsensitive = true
    mail.match.order = .oldestFirst
    if let item = try keychain.firstMatch(of: mail), let found = Query(item) {
        try keychain.update(found, secret: Secret("a new token"))
    }
}

private func handleErrors(in keychain: Keychain) throws {
    var wanted = ItemAttributes()
    wanted.server = "git.example.org"

    do throws(KeychainError) {
        try keychain.delete(Query(.internetPassword, wanted))
    } catch {
        guard error.status == .itemNotFound else { throw error }
    }
}

private func deleteEverything(in keychain: Keychain) throws {
    for itemClass in [ItemClass.genericPassword, .internetPassword] {
        do throws(KeychainError) {
            try keychain.delete(Query(itemClass))
        } catch {
            guard error.status == .itemNotFound else { throw error }
        }
    }
}

private func nameAccessGroups() throws {
    let keychain = try Keychain.login(accessGroup: "my-program")
    let shared = try Keychain.login(accessGroups: AccessGroups("my-program", others: ["company"]))
    print("\(keychain.accessGroup), \(shared.accessGroups.others.count) more")
}

private func testInMemory() throws {
    let store = InMemoryStore(now: { Timestamp(secondsSinceEpoch: 0) })
    let keychain = Keychain(store, accessGroup: "my-program")
    try keychain.setPassword("a token", service: "my-program", account: "ada")

    print(
        "a token in memory: \(try keychain.password(service: "my-program", account: "ada") ?? "")")
}
