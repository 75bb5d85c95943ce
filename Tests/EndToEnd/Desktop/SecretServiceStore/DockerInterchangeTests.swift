#if SecretService
import KeychainServices
import TestSupport
import Testing

@testable import SecretServiceStore

@Suite(
    "docker-credential-secretservice and the store read one another",
    .enabled(if: isInstalled("docker-credential-secretservice")), .serialized)
struct DockerInterchangeTests {
    let service: PrivateSecretService
    let keychain: Keychain

    init() throws {
        service = try PrivateSecretService()
        keychain = Keychain(service.makeStore(), accessGroups: .all(addingTo: "docker"))
    }

    private func helper(_ operation: String, _ request: String) throws -> String {
        try service.run("docker-credential-secretservice", operation, input: request).output
    }

    private func store(_ url: String) throws {
        _ = try helper("store", #"{"ServerURL":"\#(url)","Username":"me","Secret":"s"}"#)
    }

    @Test func findsWhatTheHelperStored() throws {
        try store("https://index.docker.io/v1/")
        try store("localhost:5000")
        try store("not a url")
        #expect(
            try keychain.found(.docker("index.docker.io", path: "/v1/", scheme: .https)).count == 1)
        #expect(try keychain.found(.docker("localhost", port: 5000)).map(\.secret) == ["s"])
        #expect(try keychain.found(.docker("not a url")).map(\.secret) == ["s"])
    }

    @Test func theHelperFindsWhatIsStored() throws {
        try keychain.add(
            .internetPassword, .docker("example.com", port: 443, path: "/v2/", scheme: .https),
            secret: Secret("p"))
        #expect(
            try helper("get", "https://example.com:443/v2/").contains(#""Secret":"p""#))
    }

    @Test func theURLIsTheOneThatWasStored() throws {
        var labelled = ItemAttributes.docker("[::1]", port: 5000, scheme: .http)
        labelled.label = "Registry credentials for http://[::1]:5000"
        let written = WrittenItem(
            adding: .internetPassword, labelled, SecretBox(Secret("p")), changed: 7)
        #expect(
            written.attributes == [
                "xdg:schema": "io.docker.Credentials", "label": "Docker Credentials",
                "server": "http://[::1]:5000", "username": "me", "docker_cli": "1",
                "lanyard:changed": "7",
            ])
        try keychain.add(.internetPassword, labelled, secret: Secret("p"))
        let attributes = try keychain.found(.docker("[::1]")).first?.attributes
        #expect(attributes.flatMap { ServerURL.text($0) } == "http://[::1]:5000")
        #expect(try helper("get", "http://[::1]:5000").contains(#""Username":"me""#))
    }

    @Test func erasingActsOnOneAddress() throws {
        try store("example.com")
        try store("example.com:5000")
        var wanted = ItemAttributes.docker("example.com")
        wanted.port = 0
        try keychain.delete(Query(.internetPassword, wanted))
        #expect(try helper("get", "example.com:5000").contains(#""Secret":"s""#))
        #expect(try !helper("get", "example.com").contains("Secret"))
    }
}
#endif
