import KeychainServices
import Keychains
import Security
import TokenStore

/// Keeps tokens with code for Apple's Keychain Services.
@main
struct SecurityExample {
    static func main() throws {
        try AccessGroups.setForThisProgram(AccessGroups("my-program", others: ["company"]))
        try shareToken()

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

    /// Adds a token that other programs of the company find.
    private static func shareToken() throws {
        let token: [CFString: Any] = [
            kSecClass: kSecClassGenericPassword, kSecAttrService: "company",
            kSecAttrAccessGroup: "company", kSecValueData: Data("shared".utf8),
            kSecReturnAttributes: true,
        ]
        var added: CFTypeRef?
        let status = SecItemAdd(token as CFDictionary, &added)
        let group = (added as? [String: Any])?[kSecAttrAccessGroup as String] ?? "no group"
        print("the company's token is in \(group): \(status)")
    }
}
