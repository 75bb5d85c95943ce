import LanyardCryptography
import KeychainServices

/// The padding of sealed secrets: what is accepted is what would be written.
enum PaddingTarget: FuzzTarget {
    static let name = "padding"

    static func run(_ input: [UInt8]) {
        let plaintext = attempt { () throws(KeychainError) in
            try Padding.withoutPadding(Secret(copying: input.span)) { ByteString(copying: $0) }
        }
        if let plaintext {
            check(
                Padding.pad(plaintext.bytes.span).array() == input,
                "what is accepted is not what would be written")
        }
        let padded = Padding.pad(input.span)
        check(padded.count == Padding.bucket(input.count), "a secret is in another bucket")
        let read = attempt { () throws(KeychainError) in
            try Padding.withoutPadding(padded) { ByteString(copying: $0) }
        }
        check(read?.bytes == input, "what was padded is read as another secret")
    }
}
