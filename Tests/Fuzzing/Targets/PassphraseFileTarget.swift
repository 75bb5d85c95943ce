import KeychainServices

@testable import Keychains

/// A passphrase file: all its bytes but one line feed at the end, or a refusal.
enum PassphraseFileTarget: FuzzTarget {
    static let name = "passphrase-file"

    private static let file = MemoryFile()

    static func run(_ input: [UInt8]) {
        file.write(input)
        let passphrase = attempt { () throws(KeychainError) in
            try PassphraseFile("\(file.descriptor)", origin: "a test").read().array()
        }
        let expected = input.last == 0x0A ? Array(input.dropLast()) : input
        if (1...1024).contains(expected.count) {
            check(passphrase == expected, "a passphrase is read as another one")
        } else {
            check(passphrase == nil, "a passphrase is empty or too long")
        }
    }
}
