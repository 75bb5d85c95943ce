import Foundation
import Testing

extension ScratchHome {
    /// Expects that the keychain holds the login for a registry, and no other of docker's.
    func expectKept(
        _ registry: Registry, password: String = Registry.password,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        try await expectDockerList(
            #"{"\#(registry.host)":"\#(Registry.user)"}"#, sourceLocation: sourceLocation)
        try await expectDockerGet(
            registry.host, registry.login(Registry.user, password), sourceLocation: sourceLocation)
        let items = try await dockerItems(sourceLocation: sourceLocation)
        #expect(items.map(\.name) == [registry.host], sourceLocation: sourceLocation)
        #expect(items.map(\.account) == [Registry.user], sourceLocation: sourceLocation)
    }

    /// Expects that the keychain holds no login of docker's.
    func expectNoDockerLogin(sourceLocation: SourceLocation = #_sourceLocation) async throws {
        try await expectDockerList("{}", sourceLocation: sourceLocation)
        let items = try await dockerItems(sourceLocation: sourceLocation)
        #expect(items.isEmpty, sourceLocation: sourceLocation)
    }

    /// What `lanyard list` says of an item.
    struct ListedItem: Decodable {
        let name: String
        let account: String?
        let group: String
    }

    /// docker's logins, as users can see them.
    private func dockerItems(sourceLocation: SourceLocation) async throws -> [ListedItem] {
        let outcome = try await succeeds(
            "lanyard", "list", "--group", "docker", "--json", sourceLocation: sourceLocation)
        return try JSONDecoder().decode([ListedItem].self, from: Data(outcome.output))
    }
}
