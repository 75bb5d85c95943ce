import KeychainServices
import Testing

@testable import KeychainSync

@Suite("Content of shared items") struct ItemContentTests {
    @Test func everyAttributeComesBack() throws {
        var attributes = ItemAttributes()
        attributes.accessible = .afterFirstUnlock
        attributes.accessGroup = "git"
        attributes.server = "example.org"
        attributes.protocol = .https
        attributes.port = 8443
        attributes.account = "ada"
        attributes.synchronizable = true
        attributes.creationDate = Timestamp(secondsSinceEpoch: 1_700_000_000)
        let content = ItemContent(.internetPassword, attributes, secret: Secret("secret"))
        let read = try ItemContent(content.bytes)
        #expect(read.itemClass == .internetPassword)
        #expect(read.attributes == attributes)
        let isSecretSame = read.secret.isEqual(to: Secret("secret"))
        #expect(isSecretSame)
        let key = Secret(copying: [UInt8](repeating: 7, count: 32).span)
        let isSame =
            read.identity(under: key) == content.identity(under: key)
            && read.digest(under: key) == content.digest(under: key)
        #expect(isSame)
    }

    @Test func whatStaysOnItsMachineIsRefused() {
        for accessible in Accessibility.allCases where accessible.isThisDeviceOnly {
            var attributes = ItemAttributes()
            attributes.accessible = accessible
            let content = ItemContent(.genericPassword, attributes, secret: Secret("secret"))
            #expect(throws: KeychainError(.decode)) { _ = try ItemContent(content.bytes) }
        }
        // A team's other keychains would not ask.
        var attributes = ItemAttributes()
        attributes.accessControl = AccessControl(flags: .userPresence)
        let content = ItemContent(.genericPassword, attributes, secret: Secret("secret"))
        #expect(throws: KeychainError(.decode)) { _ = try ItemContent(content.bytes) }
    }

    @Test func otherBytesAreRefused() throws {
        var attributes = ItemAttributes()
        attributes.accessible = .whenUnlocked
        let content = ItemContent(.genericPassword, attributes, secret: Secret("secret"))
        let bytes = content.bytes.withBytes { ByteString(copying: $0).bytes }
        for count in bytes.indices {
            let part = Secret(copying: bytes.span.extracting(first: count))
            #expect(throws: KeychainError(.decode)) { _ = try ItemContent(part) }
        }
        #expect(throws: KeychainError(.wrongVersion)) {
            let later = [2] + bytes.dropFirst()
            _ = try ItemContent(Secret(copying: later.span))
        }
    }
}
