import KeychainServices
import Testing

@testable import GitCredential

/// The item that others are told of is the one that a store makes.
@Suite struct GitItemTests {
    @Test(
        arguments: [
            "protocol=https\nhost=example.com\nusername=ada\npassword=pw\n",
            "protocol=http\nhost=[::1]:8080\npath=a/b\npassword=pw\n",
            "protocol=https\nhost=h\nusername=\npassword=\noauth_refresh_token=r\n",
            "protocol=https\nhost=h\npassword=p\npassword_expiry_utc=2000\n",
            "protocol=https\nhost=h\npassword=p\npassword_expiry_utc=10\n",
            "protocol=https\nhost=h\npassword=p\nephemeral=1\n",
            "protocol=https\npassword=p\n", "protocol=https\nhost=\npassword=p\n",
            "protocol=https\nhost=h\nusername=u\n",
            "capability[]=authtype\nprotocol=https\nhost=h\nauthtype=Bearer\ncredential=c\n",
        ])
    func itIsTheOneThatAStoreMakes(_ text: String) throws {
        let rig = GitRig()
        try rig.store(text)
        let stored = try rig.items
        let request = try GitCredentialRequest(parsing: Secret(text))
        let now = Timestamp(secondsSinceEpoch: rig.now)
        let consumed = try GitCredentialRequest(parsing: Secret(text)).intoItem(at: now)?.newItem()
        guard let item = request.item(at: now) else {
            #expect(stored.isEmpty)
            #expect(consumed == nil)
            return
        }
        #expect(consumed?.attributes == item.attributes)
        #expect(consumed?.secret.text == item.secret.text)
        let other = GitRig()
        try other.keychain.add(item.itemClass, item.attributes, secret: item.secret)
        #expect(try other.items == stored)
        #expect(stored.count == 1)
        let attributes = item.attributes
        #expect(attributes.label != nil && attributes.accessGroup == "git")
        let secret = item.newItem().secret.text
        #expect(!secret.isEmpty)
    }

    @Test(arguments: ["a\nb", "a\rb", "a\0b"])
    func noRequestHasALineBreakInAValue(_ bad: String) {
        let good: ByteString = "good"
        for index in 0..<5 {
            func value(_ place: Int) -> ByteString { place == index ? ByteString(bad) : good }
            let request = GitCredentialRequest(
                protocol: value(0), host: value(1), path: value(2), username: value(3),
                password: Secret(index == 4 ? bad : "good"))
            let isNone = request == nil
            #expect(isNone)
        }
    }
}
