import KeychainServices

@testable import SealedStore

/// The stored form of an item's attributes: what is accepted is what would be written. The first byte
/// is the accessibility, which is stored next to it.
enum AttributesTarget: FuzzTarget {
    static let name = "attributes"

    static func run(_ input: [UInt8]) {
        guard let first = input.first, let accessible = Accessibility(rawValue: first) else {
            return
        }
        let stored = Array(input.dropFirst())
        guard
            let attributes = attempt({ () throws(KeychainError) in
                try AttributesCoding.decode(stored.span, accessible: accessible)
            })
        else {
            return
        }
        check(
            AttributesCoding.encode(attributes) == stored,
            "what is accepted is not what would be written")
        check(attributes.accessible == accessible, "the accessibility is another one")
    }
}
