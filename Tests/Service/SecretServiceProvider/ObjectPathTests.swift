#if SecretService
import KeychainServices
import TestSupport
import Testing

@testable import SecretServiceProvider

@Suite struct ObjectPathTests {
    private static let root = "/org/freedesktop/secrets"

    @Test func pathsAreThoseOfTheSpecification() {
        let id = ItemID(high: 1, low: 0xAB)
        #expect(ObjectPath.service.text == "/org/freedesktop/secrets")
        #expect(ObjectPath.collection("login").text == "\(Self.root)/collection/login")
        #expect(ObjectPath.collection("a-b.ü").text == "\(Self.root)/collection/a_2db_2e_c3_bc")
        #expect(
            ObjectPath.item("login", id).text
                == "\(Self.root)/collection/login/000000000000000100000000000000ab")
        #expect(ObjectPath.alias("default").text == "\(Self.root)/aliases/default")
        #expect(ObjectPath.session(7).text == "\(Self.root)/session/s7")
        #expect(ObjectPath.prompt(7).text == "\(Self.root)/prompt/p7")
    }

    /// A path that a message may have: only these characters, no empty part.
    private static func isPath(_ text: String) -> Bool {
        text.wholeMatch(of: /(\/[A-Za-z0-9_]+)+/) != nil
    }

    @Test func everyPathIsReadBack() {
        var random = SeededRandom()
        for _ in 0..<2_000 {
            let scalars = (0...random.number(below: 12)).map { _ in
                random.element(of: Array("aZ09_-. /%ß\u{1F511}\u{301}\u{7F}\n"))
            }
            let name = String(scalars)
            let id = ItemID(high: random.next(), low: random.next())
            for path in [
                .collection(name), .item(name, id), .session(random.next()),
                .prompt(random.next()),
            ] as [ObjectPath] {
                #expect(Self.isPath(path.text), "\(path)")
                #expect(ObjectPath(path.text) == path)
            }
        }
    }

    @Test(
        arguments: [
            "", "/", "/org", "/org/freedesktop", "/org/freedesktop/secret",
            "/org/freedesktop/secretsX", "/org/freedesktop/secretsX/collection/login",
            "/org/freedesktop/secrets/", "/org/freedesktop/secrets/collection",
            "/org/freedesktop/secrets/collection/", "/org/freedesktop/secrets/collection/a/b",
            "/org/freedesktop/secrets/collection/a_", "/org/freedesktop/secrets/collection/a_2",
            "/org/freedesktop/secrets/collection/a_xy", "/org/freedesktop/secrets/collection/_ff",
            "/org/freedesktop/secrets/collection/lo_67in",
            "/org/freedesktop/secrets/collection/a_2D",
            "/org/freedesktop/secrets/collection/a/000000000000000100000000000000AB",
            "/org/freedesktop/secrets/collection/a/000000000000000100000000000000ab/",
            "/org/freedesktop/secrets/collection/a/0000000000000001000000000000000",
            "/org/freedesktop/secrets/session", "/org/freedesktop/secrets/session/1",
            "/org/freedesktop/secrets/session/s", "/org/freedesktop/secrets/session/s01",
            "/org/freedesktop/secrets/session/s+1", "/org/freedesktop/secrets/session/s-1",
            "/org/freedesktop/secrets/session/s18446744073709551616",
            "/org/freedesktop/secrets/session/p1", "/org/freedesktop/secrets/prompt/s1",
            "/org/freedesktop/secrets/prompt/p1/p1", "/org/freedesktop/secrets/nothing/s1",
        ])
    func otherPathsAreNone(_ text: String) {
        #expect(ObjectPath(text) == nil)
    }

    @Test func whatIsTakenHasOneForm() {
        var random = SeededRandom()
        for _ in 0..<20_000 {
            let path = random.element(of: [
                "/org/freedesktop/secrets/collection/a_2db",
                "/org/freedesktop/secrets/collection/a/000000000000000100000000000000ab",
                "/org/freedesktop/secrets/session/s12", "/org/freedesktop/secrets/prompt/p12",
                "/org/freedesktop/secrets/aliases/default",
            ])
            var bytes = Array(path.utf8)
            bytes[random.number(below: bytes.count)] = random.element(of: Array("/_0aFsp1".utf8))
            let text = String(decoding: bytes, as: UTF8.self)
            if let taken = ObjectPath(text) {
                #expect(taken.text == text)
            }
        }
    }
}
#endif
