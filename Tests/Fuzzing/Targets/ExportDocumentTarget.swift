import KeychainServices

@testable import LanyardTransfer

/// The JSON document of an export: what is read from it is what is read from the document that is
/// written of that.
enum ExportDocumentTarget: FuzzTarget {
    static let name = "export-document"

    private struct Item: Hashable {
        let itemClass: ItemClass
        let attributes: ItemAttributes
        let secret: [UInt8]
    }

    static func run(_ input: [UInt8]) {
        guard let items = read(input) else {
            return
        }
        let store = InMemoryStore(now: { Timestamp(secondsSinceEpoch: 0) })
        let keychain = Keychain(store, accessGroups: .all())
        var kept: [Item] = []
        for item in items {
            var attributes = item.attributes
            attributes.accessible = attributes.accessible ?? .whenUnlocked
            guard attributes.accessible?.isThisDeviceOnly == false else {
                continue
            }
            attributes.accessGroup = attributes.accessGroup ?? "login"
            attributes.creationDate = Timestamp(secondsSinceEpoch: 0)
            attributes.modificationDate = attributes.creationDate
            do throws(KeychainError) {
                let secret = Secret(copying: item.secret.span)
                if item.itemClass == .certificate {
                    // The keychain would read the certificate, which this program can't.
                    _ = try store.add(item.itemClass, attributes, secret: secret, context: nil)
                } else {
                    try keychain.add(item.itemClass, attributes, secret: secret)
                }
                kept.append(
                    Item(itemClass: item.itemClass, attributes: attributes, secret: item.secret))
            } catch {
                // A store in memory enforces no access control.
                let isConditional = attributes.accessControl?.flags.isEmpty == false
                check(
                    [.duplicateItem, .param].contains(error.status)
                        || error.status == .unimplemented && isConditional,
                    "an item that can be read can't be kept")
            }
        }
        let pieces = Pieces()
        let counts = attempt { () throws(KeychainError) in
            try ItemExport(of: keychain).write(created: Timestamp(secondsSinceEpoch: 0)) {
                piece throws(KeychainError) in pieces.append(piece)
            }
        }
        check(counts?.exported == kept.count, "an item is not exported")
        guard let again = read(pieces.bytes) else {
            fail("what is written can't be read")
        }
        for itemClass in ItemClass.stored {
            check(
                again.filter { $0.itemClass == itemClass }
                    == kept.filter { $0.itemClass == itemClass },
                "what is read is not what was written")
        }
    }

    private static func read(_ input: [UInt8]) -> [Item]? {
        var items: [Item] = []
        var number = 0
        let isRead = attempt { () throws(KeychainError) in
            try ExportDocument().read(Secret(copying: input.span)) { record throws(KeychainError) in
                number += 1
                check(record.place == "item \(number)", "an item is at another place")
                switch record.content {
                case .item(let item):
                    items.append(
                        Item(
                            itemClass: item.itemClass, attributes: item.attributes,
                            secret: item.secret.array()))
                case .skipped(let reason, _):
                    check(!reason.isEmpty, "there is no reason to skip it")
                case .failed, .shadowed, .without: fail("nothing is shadowed in an export")
                }
            }
            return true
        }
        check(isRead == true || items.isEmpty, "items are handed out of what is no document")
        return isRead == true ? items : nil
    }

    private final class Pieces {
        private(set) var bytes: [UInt8] = []

        func append(_ piece: borrowing Secret) {
            bytes += piece.array()
        }
    }
}
