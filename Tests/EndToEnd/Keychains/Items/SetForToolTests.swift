import Testing
@testable import EndToEndRig

/// `lanyard set --for TOOL` changes the login that the tool has already, however it named the server.
@Suite(.timeLimit(.minutes(10)))
struct SetForToolTests {
    let home: ScratchHome

    init() throws {
        home = try ScratchHome()
    }

    private func set(_ tool: String, _ server: String) async throws {
        try await home.set("--for", tool, server, "ada", secret: "new")
    }

    @Test(arguments: ["docker.io", "https://index.docker.io/v1/", "registry-1.example:443/"])
    func docker(_ server: String) async throws {
        try await home.storeForDocker(
            #"{"ServerURL":"\#(server)","Username":"ada","Secret":"old"}"#)
        try await set("docker", server)
        let outcome = try await home.dockerHelper("get", input: server)
        #expect(outcome.outputText.contains(#""Secret":"new""#), "\(outcome)")
        let refused = try await home.lanyard(
            "set", "--stdin", "--no-replace", "--for", "docker", server, "ada", input: "x")
        #expect(refused.status == 45)
    }

    /// podman and docker have names of their own for one registry.
    @Test func dockersRegistryUnderBothNames() async throws {
        let servers = ["docker.io", "https://index.docker.io/v1/"]
        for server in servers {
            try await home.storeForDocker(
                #"{"ServerURL":"\#(server)","Username":"ada","Secret":"old"}"#)
        }
        try await set("docker", "docker.io")
        for server in servers {
            let outcome = try await home.dockerHelper("get", input: server)
            #expect(outcome.outputText.contains(#""Secret":"new""#), "\(outcome)")
        }
    }

    /// git keeps the host's capitals.
    @Test func git() async throws {
        let request = "protocol=https\nhost=Git.Example\n"
        expectAnswer(
            try await home.helper("store", input: request + "username=ada\npassword=old\n"), "")
        try await set("git", "https://Git.Example")
        expectAnswer(
            try await home.helper("get", input: request), "username=ada\npassword=new\n")
        // Each of the two has a name of its own in the list.
        expectAnswer(try await home.lanyard("remove", "https://Git.Example", "ada"), "")
        expectAnswer(try await home.lanyard("remove", "https://git.example", "ada"), "")
        expectAnswer(try await home.helper("get", input: request), "")
    }

    /// What `set` took names the item for all other commands.
    @Test(arguments: [
        ("askpass", "/home/ada/.ssh/id_ed25519", ""), ("docker", "https://index.docker.io", "ada"),
        ("docker", "docker.io", "ada"), ("git", "git.example", "ada"),
        ("cargo", "crates-io", ""), ("npm", "registry.npmjs.org", ""),
    ])
    func otherCommandsTakeTheSameName(tool: String, what: String, account: String) async throws {
        let named = ["--for", tool, what] + (account.isEmpty ? [] : [account])
        func run(_ words: String...) async throws -> Outcome {
            try await home.command("lanyard", words.prefix(1) + named + words.dropFirst()).run()
        }
        let stored = try await home.command(
            "lanyard", ["set", "--stdin"] + named, input: Array("pw".utf8)
        ).run()
        expectAnswer(stored, "")
        expectAnswer(try await run("get"), "pw\n")
        expectAnswer(try await run("edit", "--comment", "c"), "")
        expectAnswer(try await run("remove"), "")
        #expect(try await run("get").status == 44)
    }

    @Test func twoItemsWhoseNamesDifferInASlash() async throws {
        for server in ["reg.example/a", "reg.example/a/"] {
            try await home.storeForDocker(
                #"{"ServerURL":"\#(server)","Username":"ada","Secret":"old"}"#)
        }
        for server in ["reg.example/a/", "reg.example/a"] {
            expectAnswer(try await home.lanyard("remove", server, "ada"), "")
        }
    }
}
