import KeychainServices

@testable import SealedStore

/// The log of uses: an entry that is accepted is what would be written, and a file of any bytes gives
/// an answer for each of its records.
enum UseLogTarget: FuzzTarget {
    static let name = "use-log"

    private static let key = Secret(copying: [UInt8](repeating: 7, count: 32).span)

    static func run(_ input: [UInt8]) {
        let entry = Array((input + Array(repeating: 0, count: 472)).prefix(472))
        let decoded = attempt { () throws(KeychainError) in try LoggedUse.decode(entry) }
        if let (link, use) = decoded {
            check(
                use.encoded(after: link) == entry, "what is accepted is not what would be written")
        }
        var content = UseLogContent(path: "/log")
        content.add(input, key, expects: nil)
        check(
            content.damaged + content.uses.count == input.count / 512,
            "a record is neither read nor damaged")
        check(content.endsInTheMiddle == !input.count.isMultiple(of: 512), "the end is wrong")
    }
}
