import DockerCredential
import KeychainServices
import Testing

/// The item that others are told of is the one that a store makes.
@Suite struct DockerItemTests {
    @Test(
        arguments: [
            ("https://index.docker.io/v1/", "ada"), ("registry.example.com:5000/team", "<token>"),
            (" h ", "u"), ("http://user@h:07/", "u"),
        ])
    func itIsTheOneThatAStoreMakes(_ url: String, _ username: String) throws {
        let rig = DockerRig()
        try rig.store(url, username, "pw")
        let item = try DockerCredentialItem(
            serverURL: ByteString(url), username: ByteString(username), secret: Secret("pw"))
        let other = DockerRig()
        try other.keychain.add(item.itemClass, item.attributes, secret: item.secret)
        for request in [url, "h"] {
            #expect(other.run("get", request) == rig.run("get", request))
        }
        #expect(other.run("list", "") == rig.run("list", ""))
        #expect(other.run("list", "").contains(username))
        #expect(item.attributes.label != nil && item.attributes.accessGroup == "docker")
        let secret = item.newItem().secret.text
        #expect(secret == "pw")
    }

    @Test func withoutAServerOrAUserThereIsNone() {
        for (url, username) in [("", "u"), (" ", "u"), ("h", "")] as [(ByteString, ByteString)] {
            #expect(throws: KeychainError(.param)) {
                _ = try DockerCredentialItem(
                    serverURL: url, username: username, secret: Secret("pw"))
            }
        }
    }
}
