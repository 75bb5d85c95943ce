import Testing
@testable import EndToEndRig

/// Images are pushed and pulled with a login from the keychain.
@Suite(.needs(.registry, .skopeo), .timeLimit(.minutes(10)))
struct RegistryImageTests {
    let home: ScratchHome

    init() throws {
        home = try ScratchHome()
    }

    @Test func skopeoPushesInspectsAndPulls() async throws {
        try await Registry.serve(home) { [home] registry in
            try home.configureClients(.everything)
            let image = try await home.makeImage()
            let push = ["copy", "--dest-tls-verify=false", image.name, registry.image()]
            try await home.fails(.skopeo, push, saying: RegistryClient.skopeo.refusal)
            // Nor does asking for a login leave a trace.
            #expect(try Snapshot(home.lanyard).entries.keys.sorted() == [])

            try await home.logIn(.skopeo, registry)
            let before = try Snapshot(home.lanyard)
            try await home.succeeds(.skopeo, push)
            let inspected = try await home.succeeds(
                .skopeo, RegistryClient.skopeo.use(registry))
            #expect(inspected.outputText.contains("\"\(registry.host)/notes\""), "\(inspected)")
            let copy = ScratchHome.Image(folder: "\(home.path)/copy")
            try await home.succeeds(
                .skopeo, ["copy", "--src-tls-verify=false", registry.image(), copy.name])
            #expect(try copy.blobs().count == 3)
            #expect(try copy.blobs() == image.blobs())
            // Times and folders included: who only reads writes nothing.
            #expect(try Snapshot(home.lanyard).differences(from: before) == [])

            try await home.succeeds(.skopeo, ["logout", registry.host])
            try await home.fails(
                .skopeo, RegistryClient.skopeo.use(registry),
                saying: RegistryClient.skopeo.refusal)
        }
    }

    @Test(.needs(.podman, .podmanImages)) func podmanPulls() async throws {
        try await Registry.serve(home) { [home] registry in
            let client = RegistryClient.podman
            try home.configureClients(.everything)
            try await home.logIn(client, registry)
            try await home.push(home.makeImage(), to: registry)
            try await home.succeeds(client, ["logout", registry.host])
            try await home.fails(client, client.use(registry), saying: client.refusal)

            try await home.logIn(client, registry)
            try await home.succeeds(client, client.use(registry))
            let images = try await home.succeeds(client, ["images", "--noheading"])
            #expect(images.outputText.contains("\(registry.host)/notes "), "\(images)")
        }
    }
}
