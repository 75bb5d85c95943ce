import Testing

@testable import ToolSetup

private let missing = "docker-registry or the client is not installed"

@Suite("real clients, at a real registry, after the setup", .serialized)
struct RealClientsTests {
    private static let clients = ["skopeo", "podman", "buildah"]

    @Test(
        "they log in with lanyard, and never in plain text", arguments: clients)
    func containers(client: String) async throws {
        guard LoopbackRegistry.isInstalled, SetupHome.path(of: client) != nil else {
            try Test.cancel("\(client): \(missing)")
        }
        let home = try SetupHome(programs: ["docker-registry", client])
        try home.keepDockerLogins()
        let registry = try await LoopbackRegistry(home)
        let login = [
            "login", "--tls-verify=false", "--username", "me", "--password-stdin",
            registry.address,
        ]
        let question = try await home.run(client, ["login", "--get-login", registry.address])
        guard question.errors.contains("not logged in") else {
            try Test.cancel("\(client) can't log in here: \(question.errors)")
        }
        let authFile = "../run/containers/auth.json"
        let before = try home.tree()

        try home.setUp(.docker)
        let first = try await home.run(client, login, input: "pw")
        #expect(first.succeeded, "\(first.errors)")
        #expect(home.logins == [registry.address])
        #expect(!home.exists(authFile))
        let who = try await home.run(client, ["login", "--get-login", registry.address])
        #expect(who.output == "me\n", "\(who.errors)")
        let logout = try await home.run(client, ["logout", registry.address])
        #expect(logout.succeeded, "\(logout.errors)")
        #expect(home.logins.isEmpty)

        // Locked: an error, not a login that lies in plain text from now on.
        try home.write("../logins.locked", "")
        #expect(try await !home.run(client, login, input: "pw").succeeded)
        #expect(!home.exists(authFile))

        try home.undo(.docker)
        #expect(try await home.run(client, login, input: "pw").succeeded)
        #expect(home.exists(authFile))
        let after = try home.tree().filter {
            !$0.key.hasPrefix(".local") && !$0.key.hasPrefix(".cache")
        }
        #expect(after == before)
    }

    @Test("docker logs in with lanyard, and its own changes survive the undo")
    func docker() async throws {
        guard LoopbackRegistry.isInstalled, SetupHome.path(of: "docker") != nil else {
            try Test.cancel("docker: \(missing)")
        }
        let home = try SetupHome(programs: ["docker-registry", "docker"])
        home.variables["DOCKER_HOST"] = "unix://\(home.folder)/no-engine"
        try home.keepDockerLogins()
        let registry = try await LoopbackRegistry(home)
        try home.write(
            ".docker/config.json", "{\"auths\":{\"a.example\":{\"auth\":\"bWU6cHc=\"}}}")
        try home.setUp(.docker)
        let login = try await home.run(
            "docker", ["login", "--username", "me", "--password-stdin", registry.address],
            input: "pw")
        guard login.succeeded else {
            #expect(login.errors.contains("daemon"), "\(login.errors)")
            try Test.cancel("docker: this version needs an engine to log in")
        }
        #expect(home.logins == [registry.address])
        let during = try home.read(".docker/config.json")
        #expect(during.contains("\"credsStore\": \"lanyard\""))
        try home.undo(.docker)
        #expect(
            try home.read(".docker/config.json")
                == during.replacing(",\n\t\"credsStore\": \"lanyard\"", with: ""))
        #expect(try home.setup(.docker).plan().changes.count == 1)
    }
}
