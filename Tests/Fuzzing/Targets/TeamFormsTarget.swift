import KeychainServices

@testable import SyncEngine

/// What a team's server stores, once it is decrypted: what is accepted is what would be written.
enum TeamFormsTarget: FuzzTarget {
    static let name = "team-forms"

    static func run(_ input: [UInt8]) {
        guard let kind = input.first else {
            return
        }
        let bytes = Array(input.dropFirst())
        var reader = ByteReader(bytes)
        var writer = ByteWriter()
        switch kind {
        case UInt8(ascii: "e"):
            let entry = attempt { () throws(KeychainError) in try RosterEntry(bytes) }
            guard let entry else {
                return
            }
            entry.change.append(to: &writer)
            // Between the entry's own parts and the signature.
            check(
                bytes[81...].dropLast(64) == writer.bytes[...],
                "what is accepted is not what would be written")
            return
        case UInt8(ascii: "c"):
            attempt { () throws(KeychainError) in try DeviceCard(reading: &reader) }?
                .append(to: &writer)
        case UInt8(ascii: "i"):
            let item = attempt { () throws(KeychainError) in try SharedItem(reading: &reader) }
            item?.append(to: &writer)
            if let item {
                var merged = item
                merged.merge(item)
                check(merged == item, "an item merged with itself is another one")
            }
        case UInt8(ascii: "h"):
            attempt { () throws(KeychainError) in try DeviceHead(reading: &reader) }?
                .append(to: &writer)
        default:
            attempt { () throws(KeychainError) in try LastChanges(reading: &reader) }?
                .append(to: &writer)
        }
        check(
            writer.bytes.isEmpty || bytes.prefix(reader.position) == writer.bytes[...],
            "what is accepted is not what would be written")
    }
}
