import KeychainServices
import OneTimeCodes

/// Keys of one-time codes, as otpauth URLs and in Base32: a key that is accepted makes codes, and its URL
/// makes the same ones.
enum OneTimeCodeTarget: FuzzTarget {
    static let name = "one-time-code"

    static func run(_ input: [UInt8]) {
        let found = attempt { () throws(KeychainError) in
            try OneTimeCodeKey.url(of: Secret(copying: input.span), label: "ada").array()
        }
        let read = code(input)
        guard let url = found else {
            check(read == nil, "a URL that makes codes is refused")
            return
        }
        check(OneTimeCodeKey.isURL(Secret(copying: url.span)), "the key's URL is none")
        let code = code(url)
        check(code != nil, "the key's URL makes no codes")
        check(read == nil || read == code, "the key's URL makes other codes")
    }

    private static func code(_ url: [UInt8]) -> [UInt8]? {
        attempt { () throws(KeychainError) in
            let key = try OneTimeCodeKey(url: Secret(copying: url.span))
            let time = Timestamp(secondsSinceEpoch: 1_111_111_109)
            let code = key.code(at: time).array()
            check((6...8).contains(code.count), "a code is too short or too long")
            check(code.allSatisfy { (0x30...0x39).contains($0) }, "a code has no digits")
            check((1...key.period).contains(key.secondsLeft(at: time)), "a code is over")
            check(key.text.count > 0, "a key has no text")
            return code
        }
    }
}
