import Foundation
import LanyardSecrets
import Testing

@Suite("Base64")
struct Base64Tests {
    private func encoded(_ bytes: [UInt8]) -> String {
        Base64.encode(bytes.span).withBytes { ByteString(copying: $0).description }
    }

    private func decoded(_ text: String) -> [UInt8]? {
        Base64.decode(Array(text.utf8).span)?.withBytes { ByteString(copying: $0).bytes }
    }

    @Test(
        "the test vectors of RFC 4648, section 10",
        arguments: [
            ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
        ])
    func vectors(text: String, form: String) {
        #expect(encoded(Array(text.utf8)) == form)
        #expect(decoded(form) == Array(text.utf8))
    }

    @Test("all bytes, in all lengths, as Foundation has them")
    func all() {
        let bytes = (0..<600).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ $0 >> 3) }
        for count in 0...600 {
            let some = Array(bytes.prefix(count))
            #expect(encoded(some) == Data(some).base64EncodedString())
            #expect(decoded(encoded(some)) == some)
        }
    }

    @Test(
        "only the canonical form is accepted",
        arguments: [
            "Z", "Zg", "Zg=", "Zm8", "Zg===", "=", "====", "Z===", "Zh==", "Zm9=", "Zg==Zg==",
            "Zm9v\n", " Zm9v", "Zm9v====", "Zm-v", "Zm_v", "Zm9v=AAA", "A=AA", "AA=A", "Zm9ü",
        ])
    func refused(text: String) {
        #expect(decoded(text) == nil)
    }
}
