import Security
import TokenStore

/// Keeps tokens with code for Apple's Keychain Services.
@main
struct SecurityExample {
    static func main() throws {
        let tokens = TokenStore(ServiceTokens(service: "example.org"))
        try tokens.set("first", for: "ada")
        try tokens.set("second", for: "ada")
        print("ada's token is '\(try tokens.token(for: "ada") ?? "missing")'")

        let server = TokenStore(ServerTokens(server: "git.example.org", port: 8443, path: "/ada"))
        try server.set("third", for: "ada")
        print("ada's token at git.example.org is '\(try server.token(for: "ada") ?? "missing")'")

        try tokens.removeAll()
        try server.remove("ada")
        print("ada's tokens are \(try tokens.token(for: "ada") == nil ? "deleted" : "still there")")
    }
}
