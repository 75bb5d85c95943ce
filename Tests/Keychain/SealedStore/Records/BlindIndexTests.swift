import KeychainServices
import Testing

@testable import LanyardCryptography
@testable import SealedStore

@Suite("Blind index") struct BlindIndexTests {
    /// A tag, made again from the description of the format.
    @Test func tagOfVersion1() throws {
        let keys = try UnlockedKeys.made()
        let content = Array("inet".utf8) + [49] + [0, 0, 0, 9] + Array("a.example".utf8)
        let expected = Array(bytes(KeyedDigest.make(under: keys.indexKey, content.span))[..<16])
        #expect(BlindIndex(keys).server("A.Example") == expected)
    }

    /// One that was made before is the same as one that is made anew.
    @Test func tagsAreTheSameEachTime() throws {
        let keys = try UnlockedKeys.made()
        let index = BlindIndex(keys)
        func tags(_ value: ByteString) -> [[UInt8]] {
            let classes = [ItemClass.internetPassword, .genericPassword]
            return [index.server(value), index.value(.genericPassword, .service, value)]
                + classes.map { index.value($0, .account, value) }
                + classes.map { index.value($0, .accessGroup, value) }
        }
        let values: [ByteString] = ["a", "a", "b", "", "a", "b", "b"]
        for value in values {
            let kept = tags(value)
            keys.lastTags = TagCache()
            #expect(tags(value) == kept)
            #expect(Set(kept).count == kept.count)
        }
    }

    /// The same value in another field, class or keychain has another tag.
    @Test func tagsOfDifferentFieldsHaveNothingInCommon() throws {
        let index = BlindIndex(try UnlockedKeys.made())
        let other = BlindIndex(try UnlockedKeys.made())
        let tags = [
            index.server("x"), index.value(.genericPassword, .service, "x"),
            index.value(.internetPassword, .account, "x"),
            index.value(.genericPassword, .account, "x"),
            index.value(.internetPassword, .accessGroup, "x"),
            index.value(.genericPassword, .accessGroup, "x"),
            index.identity(.internetPassword, internetPassword("x")),
            index.identity(.internetPassword, internetPassword("x", port: 1)),
            index.identity(.genericPassword, genericPassword("x")), other.server("x"),
        ]
        #expect(Set(tags).count == tags.count)
        #expect(tags.allSatisfy { $0.count == 16 })
    }

    @Test func lettersOfTheServerAloneAreFolded() throws {
        let index = BlindIndex(try UnlockedKeys.made())
        #expect(index.server("EXAMPLE") == index.server("example"))
        #expect(index.server("É") != index.server("é"))
        #expect(
            index.value(.genericPassword, .service, "A")
                != index.value(.genericPassword, .service, "a"))
        #expect(
            index.value(.internetPassword, .account, "A")
                != index.value(.internetPassword, .account, "a"))
    }

    /// Which items share a tag and which don't, whatever the class has.
    @Test func tagsOfAnItem() throws {
        let index = BlindIndex(try UnlockedKeys.made())
        let internet = index.tags(.internetPassword, internetPassword("s"))
        #expect(internet.server == index.server("s"))
        #expect(internet.service == nil)
        #expect(internet.account == index.value(.internetPassword, .account, ""))
        let generic = index.tags(.genericPassword, genericPassword("s", account: "a"))
        #expect(generic.server == nil)
        #expect(generic.service == index.value(.genericPassword, .service, "s"))
        #expect(generic.account == index.value(.genericPassword, .account, "a"))
        let key = index.tags(
            .key,
            ItemAttributes {
                $0.applicationLabel = "l"
                $0.applicationTag = "t"
            })
        #expect(key.server == nil)
        #expect(key.service == index.value(.key, .applicationLabel, "l"))
        #expect(key.account == index.value(.key, .applicationTag, "t"))
        let certificate = index.tags(
            .certificate,
            ItemAttributes {
                $0.publicKeyHash = "h"
                $0.issuer = "i"
            })
        #expect(certificate.service == index.value(.certificate, .publicKeyHash, "h"))
        #expect(certificate.account == index.value(.certificate, .issuer, "i"))
    }

    /// No two lists of parts make the same identity.
    @Test func identitiesHoldTheLengths() throws {
        let index = BlindIndex(try UnlockedKeys.made())
        let one = index.identity(
            .internetPassword, internetPassword("ab", account: "c"))
        let other = index.identity(
            .internetPassword, internetPassword("a", account: "bc"))
        #expect(one != other)
    }
}

extension BlindIndex {
    fileprivate func identity(_ itemClass: ItemClass, _ attributes: ItemAttributes) -> [UInt8] {
        identity(itemClass, ItemIdentity(itemClass, attributes))
    }

    fileprivate func tags(_ itemClass: ItemClass, _ attributes: ItemAttributes) -> IndexTags {
        tags(itemClass, attributes, ItemIdentity(itemClass, attributes))
    }
}
