import KeychainServices
import Keychains

/// Keeps a password in one call, a token with the convenience layer, then a web login with the whole API.
@main
struct SecureStoreExample {
    static func main() throws {
        // What LANYARD_HOME names, or else the user's own.
        let keychain = try Keychain.login()
        print("the access group is \(keychain.accessGroup)")
        try keepPassword(in: keychain)
        try keepToken(in: keychain)
        try keepLogin(in: keychain)
        try clear(keychain)
    }

    /// Deletes everything that this program stored; items of other access groups stay.
    private static func clear(_ keychain: Keychain) throws {
        let other = try Keychain.login(accessGroup: "another-program")
        try other.setPassword("a password", service: "mail.example.org", account: "bob")

        try keychain.delete(Query(.genericPassword))
        print("\(try keychain.attributes(of: all).count) passwords of this program are left")
        print("\(try other.attributes(of: all).count) password of another program is left")

        var wanted = ItemAttributes()
        wanted.accessGroup = "another-program"
        do throws(KeychainError) {
            try keychain.delete(Query(.genericPassword, wanted))
        } catch {
            print("deleting it fails: \(error)")
        }
    }

    private static var all: Query {
        var query = Query(.genericPassword)
        query.match.limit = .all
        return query
    }

    /// Sets and gets a password as a string, which can't be wiped, and lists the passwords.
    private static func keepPassword(in keychain: Keychain) throws {
        try keychain.setPassword("a password", service: "mail.example.org", account: "ada")
        guard let password = try keychain.password(service: "mail.example.org", account: "ada")
        else {
            return
        }
        print("ada's password has \(password.utf8.count) bytes")

        for attributes in try keychain.attributes(of: Query(.genericPassword)) {
            print("a password of \(attributes.account ?? "no account")")
        }
    }

    /// Sets, gets and removes the value of an account.
    private static func keepToken(in keychain: Keychain) throws {
        let tokens = SecureStore(
            keychain: keychain, queryable: GenericPasswordQueryable(service: "example.org"))

        try tokens.setValue(newToken(), for: "ada")
        try tokens.setValue(newToken(), for: "ada")
        print("ada's token is set")

        if let token = try tokens.getValue(for: "ada") {
            // The only way to the bytes; they are wiped when `token` ends.
            token.withBytes { bytes in
                print("ada's token has \(bytes.count) bytes")
            }
        }

        try tokens.removeValue(for: "ada")
        switch try tokens.getValue(for: "ada") {
        case .some: print("ada still has a token")
        case .none: print("ada has no token any more")
        }
    }

    /// Adds an internet password and finds it by its server.
    private static func keepLogin(in keychain: Keychain) throws {
        var login = ItemAttributes()
        login.server = "git.example.org"
        login.protocol = .https
        login.account = "ada"
        login.label = "Ada's login"
        try keychain.add(.internetPassword, login, secret: newToken())

        do throws(KeychainError) {
            try keychain.add(.internetPassword, login, secret: newToken())
        } catch {
            guard error.status == .duplicateItem else {
                throw error
            }
            print("a second login of the same identity: \(error)")
        }

        var wanted = ItemAttributes()
        wanted.server = "git.example.org"
        let query = Query(.internetPassword, wanted, returns: [.attributes, .data])
        guard let item = try keychain.firstMatch(of: query) else {
            return
        }
        let account = item.attributes?.account ?? "no account"
        guard let secret = item.secret else {
            return
        }
        print("the login at git.example.org is \(account)'s, \(secret.count) bytes long")

        try keychain.delete(Query(.internetPassword, wanted))
        print("the login is deleted")
    }

    /// Sixteen random letters, written straight into the memory that will be wiped.
    private static func newToken() -> Secret {
        Secret(capacity: 16) { memory in
            for position in memory.indices {
                memory[position] = UInt8.random(in: UInt8(ascii: "a")...UInt8(ascii: "z"))
            }
            return memory.count
        }
    }
}
