import Foundation
import Testing
@testable import EndToEndRig

/// Programs find each other's logins, and no login is mistaken for another.
@Suite(.needs(.registry, .skopeo), .timeLimit(.minutes(10)))
struct SharedLoginTests {
    let home: ScratchHome

    init() throws {
        home = try ScratchHome()
        try home.configureClients(.everything)
    }

    @Test(
        .needs(.docker),
        arguments: [(RegistryClient.docker, RegistryClient.skopeo), (.skopeo, .docker)])
    func whatOneStoresTheOtherFinds(_ one: RegistryClient, _ other: RegistryClient) async throws {
        try await Registry.serve(home) { [home] registry in
            try await home.fails(other, other.use(registry), saying: other.refusal)
            try await home.logIn(one, registry)
            try await home.push(home.makeImage(), to: registry)
            try await home.succeeds(other, other.use(registry))
            try await home.succeeds(other, ["logout", registry.host])
            try await home.expectNoDockerLogin()
            try await home.fails(one, one.use(registry), saying: one.refusal)
        }
    }

    @Test(.needs(.docker)) func skopeoKnowsWhoIsLoggedIn() async throws {
        try await Registry.serve(home) { [home] registry in
            try await home.logIn(.docker, registry)
            let who = try await home.succeeds(.skopeo, ["login", "--get-login", registry.host])
            #expect(who.outputText == "\(Registry.user)\n")
            // It has a login, so it does not ask.
            let again = try await home.succeeds(
                .skopeo, ["login", "--tls-verify=false", registry.host])
            #expect(again.outputText.contains("Already logged in"), "\(again)")
        }
    }

    /// The same user, the same host, another port, another password.
    @Test(.needs(.docker)) func registriesDoNotMix() async throws {
        let other = "secret-potoroo-0123456789"
        try await Registry.serve(home) { [home] first in
            try await Registry.serve(home, password: other) { second in
                let client = RegistryClient.skopeo
                let image = try await home.makeImage()
                try await home.logIn(.docker, first)
                try await home.push(image, to: first)
                try await home.fails(client, client.use(second), saying: client.refusal)
                // The first one's password, if it got there, would be refused otherwise.
                try await home.fails(
                    client, client.login(second), input: Registry.password,
                    saying: client.wrongPassword)
                try await home.expectKept(first)

                try await home.logIn(client, second, password: other)
                try await home.push(image, to: second)
                let both = [first, second].map { #""\#($0.host)":"\#(Registry.user)""# }.sorted()
                try await home.expectDockerList("{\(both.joined(separator: ","))}")
                for client in [client, .docker] {
                    try await home.succeeds(client, client.use(first))
                    try await home.succeeds(client, client.use(second))
                }

                try await home.succeeds(.docker, ["logout", first.host])
                try await home.expectKept(second, password: other)
                try await home.fails(client, client.use(first), saying: client.refusal)
                try await home.succeeds(client, client.use(second))
            }
        }
    }

    @Test func skopeoLogsOutOfAllAndLeavesGitsLoginsAlone() async throws {
        let git = "protocol=https\nhost=example.com\n"
        try await home.store("\(git)username=ada\npassword=pw\n")
        try await Registry.serve(home) { [home] first in
            try await Registry.serve(home) { second in
                try await home.logIn(.skopeo, first)
                try await home.logIn(.skopeo, second)
                let list = try await home.dockerHelper("list").outputText
                #expect(list.contains(first.host) && list.contains(second.host), "\(list)")
                try await home.succeeds(.skopeo, ["logout", "--all"])
                try await home.expectNoDockerLogin()
                try await home.expectGet(git, "username=ada\npassword=pw\n")
                let client = RegistryClient.skopeo
                try await home.fails(client, client.use(first), saying: client.refusal)
            }
        }
    }

    /// For the very same server, in the same keychain.
    @Test func gitAndSkopeoDoNotSeeEachOther() async throws {
        try await Registry.serve(home) { [home] registry in
            let git = "protocol=https\nhost=\(registry.host)\n"
            try await home.store("\(git)username=\(Registry.user)\npassword=git's\n")
            try await home.expectNoDockerLogin()
            let client = RegistryClient.skopeo
            try await home.fails(client, client.use(registry), saying: client.refusal)

            try await home.logIn(client, registry)
            try await home.expectKept(registry)
            let answer = "username=\(Registry.user)\npassword=git's\n"
            try await home.expectGet(git, answer)
            let listed = try await home.succeeds("lanyard", "list", "--json")
            let items = try JSONDecoder().decode(
                [ScratchHome.ListedItem].self, from: Data(listed.output))
            #expect(Set(items.map(\.group)).count == 2, "\(listed)")
            #expect(items.count == 2, "\(listed)")

            try await home.succeeds(client, ["logout", registry.host])
            try await home.expectNoDockerLogin()
            try await home.expectGet(git, answer)
            try await home.logIn(client, registry)
            try await home.erase(git)
            try await home.expectGet(git, "")
            try await home.expectKept(registry)
        }
    }

    /// Its JSON is read more strictly than any client's.
    @Test(.needs(.dockerPy), arguments: [ClientSetup.everything, .oneRegistry])
    func dockerPyFindsWhatSkopeoStores(_ setup: ClientSetup) async throws {
        try await Registry.serve(home) { [home] registry in
            try home.configureClients(setup, for: registry)
            let python = """
                import docker.auth, sys
                login = docker.auth.load_config().resolve_authconfig(sys.argv[1]) or {}
                print(login.get("Username"), login.get("Password"))
                """
            func found() async throws -> String {
                try await home.command(
                    "sh", ["-euc", ScratchHome.dockerPy, "sh", python, registry.host]
                ).run().outputText
            }
            #expect(try await found() == "None None\n")
            try await home.logIn(.skopeo, registry)
            #expect(try await found() == "\(Registry.user) \(Registry.password)\n")
        }
    }
}
