import Foundation
import Keychain
import Testing

@testable import LanyardCommand

@Suite("Base64")
struct Base64Tests {
    private func encoded(_ bytes: [UInt8]) -> String {
        base64(bytes.span).withBytes { ByteString(copying: $0).description }
    }

    @Test(
        "the test vectors of RFC 4648, section 10",
        arguments: [
            ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
        ])
    func vectors(text: String, form: String) {
        #expect(encoded(Array(text.utf8)) == form)
    }

    @Test("all bytes, in all lengths, as Foundation has them")
    func all() {
        let bytes = (0..<600).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ $0 >> 3) }
        for count in 0...600 {
            let some = Array(bytes.prefix(count))
            #expect(encoded(some) == Data(some).base64EncodedString())
        }
    }
}
