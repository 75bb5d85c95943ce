import Foundation
import KeychainServices

/// Base64 in both directions, beside Foundation's.
enum Base64Target: FuzzTarget {
    static let name = "base64"

    static func run(_ input: [UInt8]) {
        let encoded = Base64.encode(input.span).array()
        check(
            encoded == Array(Data(input).base64EncodedData()), "the Base64 form is another one")
        switch Base64.decode(encoded.span) {
        case .some(let decoded): check(decoded.array() == input, "decoding does not undo encoding")
        case .none: fail("a Base64 form can't be decoded")
        }
        switch Base64.decode(input.span) {
        case .some(let decoded):
            check(
                decoded.withBytes { Base64.encode($0).array() } == input,
                "what is accepted is not what would be written")
        case .none: break
        }
    }
}
