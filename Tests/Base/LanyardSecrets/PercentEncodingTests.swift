import LanyardSecrets
import Testing

@Suite("percent codes") struct PercentEncodingTests {
    @Test(
        "decoded bytes, nil if a percent sign starts no code",
        arguments: [
            ("", []), ("a+b", Array("a+b".utf8)), ("%41", [0x41]), ("x%4a%4A", Array("xJJ".utf8)),
            ("%00%ff", [0x00, 0xFF]), ("%2541", Array("%41".utf8)), ("%", nil), ("a%4", nil),
            ("%%41", nil), ("%zz", nil), ("%4g", nil), ("%\u{301}", nil),
        ] as [(String, [UInt8]?)])
    func decoded(text: String, bytes: [UInt8]?) {
        let decoded = Array(text.utf8).span.percentDecoded
        #expect(decoded == bytes)
    }

    @Test(
        "a secret keeps what is no code",
        arguments: [
            ("", ""), ("%41", "A"), ("%", "%"), ("%4", "%4"), ("a%4", "a%4"), ("%zz%41", "%zzA"),
            ("%%41", "%A"), ("%6a%6A", "jj"), ("%00", "\0"),
        ])
    func appended(text: String, expected: String) {
        var builder = SecretBuilder()
        builder.append(percentDecoding: Array(text.utf8).span)
        let secret = builder.finish()
        #expect(secret.bytes == Array(expected.utf8))
    }

    @Test("NUL remains a code where a text can't have it")
    func withoutNUL() {
        var builder = SecretBuilder()
        builder.append(percentDecoding: Array("a%00%41".utf8).span, decodesNUL: false)
        let secret = builder.finish()
        #expect(secret.bytes == Array("a%00A".utf8))
    }

    @Test("every byte comes back, with digits of either case")
    func roundTrip() {
        let bytes = (0...255).map { UInt8($0) }
        for digits in ["0123456789ABCDEF", "0123456789abcdef"] as [StaticString] {
            var builder = SecretBuilder()
            builder.append(percentEncoding: bytes.span, digits: digits)
            let text = builder.finish().bytes
            #expect(text.span.percentDecoded == bytes)
            #expect(text.allSatisfy { $0 > 0x20 && $0 < 0x7F })
        }
        var builder = SecretBuilder()
        builder.append(
            percentEncoding: Array("aZ0-._~/\u{FC}".utf8).span, digits: "0123456789abcdef")
        let text = builder.finish()
        #expect(text.bytes == Array("aZ0-._~%2f%c3%bc".utf8))
    }
}
