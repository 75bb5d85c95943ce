import Foundation
import Testing
@testable import EndToEndRig

/// Several accounts on one server, told apart by the URL.
@Suite(.needs(.git, .lighttpd), .timeLimit(.minutes(10)))
struct SeveralAccountsTests {
    let home: ScratchHome

    init() async throws {
        home = try ScratchHome()
        try await home.configureGit()
    }

    @Test func usesTheAccountInTheURL() async throws {
        try await expectBothAccounts(at: GitServer.Address())
    }

    @Test(.needs(.tls)) func usesTheAccountInTheURLOverTLS() async throws {
        let certificate = "\(home.path)/certificate.pem"
        try await home.shell(
            """
            openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=lanyard-test \\
                -addext subjectAltName=IP:127.0.0.1 -keyout "$1.key" -out "$1.crt" 2>"$1.log"
            cat "$1.key" "$1.crt" >"$1"
            """, certificate)
        try await home.succeeds(
            "git", "config", "--global", "http.sslCAInfo", "\(certificate).crt")
        try await expectBothAccounts(at: GitServer.Address(certificate: certificate))
    }

    private func expectBothAccounts(at address: GitServer.Address) async throws {
        let notes = GitServer.Repository(users: ["ada": "ada's own", "bob": "bob's own"])
        let server = try await GitServer.serve(home, [notes], at: address) { [home] server in
            try await home.store("\(server.request)username=ada\npassword=ada's own\n")
            try await home.store("\(server.request)username=bob\npassword=bob's own\n")
            for user in ["ada", "bob", "ada"] {
                try await home.succeeds("git", "ls-remote", server.url(user: user))
            }
            // An account that is not stored is not made up from the others.
            let eve = try await home.git("ls-remote", server.url(user: "eve"))
            #expect(eve.status == 128, "\(eve)")
            #expect(eve.errorText.contains("could not read Password"), "\(eve)")
            return server
        }
        let users = try server.log().filter { $0.hasSuffix(" 200") }
        #expect(Set(users) == ["ada 200", "bob 200"], "\(users)")
        #expect(users.first == "ada 200" && users.last == "ada 200", "\(users)")
    }
}
