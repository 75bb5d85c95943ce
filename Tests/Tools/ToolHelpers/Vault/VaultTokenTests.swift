import KeychainServices
import StoreConformance
import Testing

@testable import ToolHelpers

@Suite("vault's token helper")
struct VaultTokenTests {
    private let keychain = Keychain(inMemoryFor: .vault)

    private func run(_ operation: String, at address: String? = nil, _ input: String = "") throws
        -> String
    {
        let session = ScriptedSession("vault-token-lanyard", [operation], in: keychain)
        session.input = Array(input.utf8)
        session.variables["VAULT_ADDR"] = address
        try ToolHelper.vault.run(session)
        #expect(operation == "store" || session.input.count == input.utf8.count)
        return session.output
    }

    @Test("each server has a token of its own")
    func eachServer() throws {
        #expect(try run("get", at: "https://vault.example.com") == "")
        try #expect(run("store", at: "https://vault.example.com", "hvs.one") == "")
        try #expect(run("store", at: "https://vault.example.com:8200", "hvs.two") == "")
        try #expect(run("store", at: "https://vault.example.com/team/", "hvs.three") == "")
        #expect(try run("get", at: "https://VAULT.example.com:443/") == "hvs.one")
        #expect(try run("get", at: "https://vault.example.com:8200") == "hvs.two")
        #expect(try run("get", at: "https://vault.example.com/team") == "hvs.three")
        #expect(try run("get", at: "http://vault.example.com") == "")
        try #expect(run("erase", at: "https://vault.example.com") == "")
        #expect(try run("get", at: "https://vault.example.com") == "")
        #expect(try run("get", at: "https://vault.example.com/team") == "hvs.three")
        try #expect(run("erase", at: "https://vault.example.com") == "")
    }

    @Test("a token of an address with a path")
    func path() throws {
        let address = "https://vault.example.com/team%20a/"
        // As `lanyard set --for vault` stores it.
        var name = ItemAttributes()
        name.server = "vault.example.com"
        name.path = "team a"
        try keychain.add(
            .internetPassword, ToolFormat.vault.attributes(name), secret: Secret("hvs.one"))
        #expect(try run("get", at: address) == "hvs.one")
        #expect(throws: KeychainError(.duplicateItem)) {
            _ = try run("store", at: address, "hvs.two")
            try keychain.add(
                .internetPassword, ToolFormat.vault.attributes(name), secret: Secret("hvs.three"))
        }
        #expect(try run("get", at: address) == "hvs.two")
        // An earlier version stored it with its slash.
        name = try ToolFormat.vault.attributes(name)
        name.path = "/team%20a"
        name.accessGroup = "vault"
        try keychain.add(.internetPassword, name, secret: Secret("hvs.four"))
        _ = try run("erase", at: address)
        #expect(try run("get", at: address) == "")
    }

    @Test("the token of an address is not that of one below it")
    func below() throws {
        _ = try run("store", at: "https://vault.example.com", "hvs.one")
        #expect(try run("get", at: "https://vault.example.com/team") == "")
    }

    @Test("a socket has a token of its own")
    func socket() throws {
        _ = try run("store", at: "unix:///run/vault.sock", "hvs.one")
        #expect(try run("get", at: "unix:///run/vault.sock") == "hvs.one")
        #expect(try run("get", at: "unix:///run/other.sock") == "")
        // As `lanyard set --for vault unix:///run/other.sock` stores it.
        var name = ItemAttributes()
        name.protocol = ProtocolType(scheme: "unix")
        name.server = ""
        name.path = "run/other.sock"
        let attributes = try ToolFormat.vault.attributes(name)
        _ = try keychain.add(.internetPassword, attributes, secret: Secret("hvs.two"))
        #expect(try run("get", at: "unix:///run/other.sock") == "hvs.two")
        _ = try run("erase", at: "unix:///run/vault.sock")
        #expect(try run("get", at: "unix:///run/vault.sock") == "")
    }

    @Test("a new token replaces the old one")
    func replaces() throws {
        for token in ["hvs.one", "hvs.two"] {
            _ = try run("store", token)
        }
        #expect(try run("get") == "hvs.two")
        #expect(try run("get", at: "https://127.0.0.1:8200") == "hvs.two")
        #expect(try run("get", at: "") == "hvs.two")
        #expect(try keychain.attributes(of: Query(.internetPassword)).count == 1)
    }

    @Test("an item of `lanyard set` is found, replaced and erased")
    func ownItems() throws {
        var name = ItemAttributes()
        name.server = "Vault.example.com"
        name.path = "/"
        let attributes = try ToolFormat.vault.attributes(name)
        _ = try keychain.add(.internetPassword, attributes, secret: Secret("hvs.one"))
        #expect(try run("get", at: "https://vault.example.com") == "hvs.one")
        _ = try run("store", at: "https://vault.example.com", "hvs.two")
        #expect(try keychain.attributes(of: Query(.internetPassword)).count == 1)
        _ = try run("erase", at: "https://vault.example.com/")
        #expect(try run("get", at: "https://vault.example.com") == "")
    }

    @Test("OpenBao's variable counts where vault's is not set, and is no other server")
    func openBao() throws {
        func get(vault: String?) throws -> String {
            let session = ScriptedSession("vault-token-lanyard", ["get"], in: keychain)
            session.variables["VAULT_ADDR"] = vault
            session.variables["BAO_ADDR"] = "https://bao.example.com"
            try ToolHelper.vault.run(session)
            return session.output
        }
        _ = try run("store", at: "https://bao.example.com", "s.one")
        for vault in [nil, "", "https://BAO.example.com/"] {
            #expect(try get(vault: vault) == "s.one")
        }
        // Which of the two programs asks is unknown.
        #expect(throws: KeychainError(.param)) {
            try get(vault: "https://vault.example.com")
        }
    }

    @Test("a token from echo is stored without its newline")
    func newline() throws {
        _ = try run("store", "hvs.one\n")
        #expect(try run("get") == "hvs.one")
    }

    @Test("invalid tokens", arguments: ["", "two words", "\n", "two\nlines", "line\n\n"])
    func invalid(token: String) throws {
        #expect(throws: KeychainError(.param)) { try run("store", token) }
        #expect(try run("get") == "")
    }

    @Test(
        "an invalid address",
        arguments: ["vault.example.com", "unix://", "unix:run/vault", "https://a b"])
    func invalid(address: String) {
        let error = #expect(throws: KeychainError.self) { try run("get", at: address) }
        #expect(error?.status == .param && error?.hint != nil)
    }

    @Test("an unknown operation")
    func unknown() {
        let error = #expect(throws: KeychainError.self) { try run("list") }
        #expect(error?.hint == "vault-token-lanyard --help")
    }
}
