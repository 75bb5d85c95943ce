import Testing
@testable import EndToEndRig

/// Real clients log in to a real registry and out again, and the keychain is where the login is
/// meanwhile.
@Suite(.needs(.registry), .timeLimit(.minutes(10)))
struct RegistryLoginTests {
    let home: ScratchHome

    init() throws {
        home = try ScratchHome()
    }

    @Test(.needs(.docker), arguments: [ClientSetup.everything, .oneRegistry])
    func docker(_ setup: ClientSetup) async throws {
        try await logsInAndOut(.docker, setup)
    }

    @Test(.needs(.skopeo), arguments: [ClientSetup.everything, .oneRegistry])
    func skopeo(_ setup: ClientSetup) async throws {
        try await logsInAndOut(.skopeo, setup)
    }

    @Test(.needs(.podman), arguments: [ClientSetup.everything, .oneRegistry])
    func podman(_ setup: ClientSetup) async throws {
        try await logsInAndOut(.podman, setup)
    }

    @Test(.needs(.buildah), arguments: [ClientSetup.everything, .oneRegistry])
    func buildah(_ setup: ClientSetup) async throws {
        try await logsInAndOut(.buildah, setup)
    }

    private func logsInAndOut(_ client: RegistryClient, _ setup: ClientSetup) async throws {
        try await Registry.serve(home) { [home] registry in
            try home.configureClients(setup, for: registry)
            let login = client.login(registry)

            // What does not work is not kept, and makes no keychain.
            try await home.fails(client, login, input: "wrong", saying: client.wrongPassword)
            #expect(try Snapshot(home.lanyard).entries.keys.sorted() == [])

            try await home.logIn(client, registry)
            try await home.expectKept(registry)
            #expect(try home.readableLogins() == [])

            // Nor does it take the place of what does.
            let before = try Snapshot(home.lanyard)
            try await home.fails(client, login, input: "wrong", saying: client.wrongPassword)
            #expect(try Snapshot(home.lanyard).differences(from: before) == [])

            try await home.succeeds(client, ["logout", registry.host])
            try await home.expectNoDockerLogin()
            #expect(try home.readableLogins() == [])
        }
    }

    /// What the clients do by themselves is found, or finding nothing would prove nothing.
    @Test(
        .needs(.docker, .skopeo),
        arguments: [
            (RegistryClient.docker, ".docker/config.json"), (.skopeo, "run/containers/auth.json"),
        ])
    func withoutTheHelperTheLoginIsReadable(_ client: RegistryClient, _ file: String) async throws {
        try await Registry.serve(home) { [home] registry in
            try home.configureClients(.nothing)
            try await home.logIn(client, registry)
            let found = try home.readableLogins()
            #expect(Set(found) == ["password in \(file)", "user in \(file)", "login in \(file)"])
            #expect(try Snapshot(home.lanyard).entries.keys.sorted() == [])
        }
    }
}

extension ScratchHome {
    /// Where a login can be read, below the home folder and in the keychain's folder.
    fileprivate func readableLogins() throws -> [String] {
        let forms = ReadableForms(words: [
            "password": Registry.password, "user": Registry.user,
            "login": "\(Registry.user):\(Registry.password)",
        ])
        return forms.search(try Snapshot("\(path)/home").contents)
            + forms.search(try Snapshot(lanyard).contents)
    }
}
