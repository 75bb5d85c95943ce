import KeychainServices
@testable import SecretServiceStore

/// Items that a Secret Service hands out, whoever wrote them: lines `attribute=value`, of which `@label`,
/// `@created` and `@modified` are the item's own. What is understood and written anew is understood the
/// same.
enum SecretServiceItemTarget: FuzzTarget {
    static let name = "secret-service-item"

    static func run(_ input: [UInt8]) {
        guard let item = item(input).flatMap(StoredItem.init) else {
            return
        }
        let changed = WrittenItem(
            changing: item, to: item.attributes, nil, changed: item.changed, isNew: false)
        check(
            changed.attributes.allSatisfy { $0.key.isSendable && $0.value.isSendable },
            "an attribute is written that D-Bus has no form for")
        check(changed.label.isSendable, "a label is written that D-Bus has no form for")
        guard let again = StoredItem(remote(kept(changed, in: item.remote))) else {
            fail("an item that was written anew is none")
        }
        check(again.identity == item.identity, "an item that was written anew is another one")
        check(
            again.attributes.withoutAbsent == item.attributes.withoutAbsent,
            "an item that was written anew has other attributes")
    }

    /// What the service has after a change: KeePassXC also what it had.
    private static func kept(_ changed: WrittenItem, in old: RemoteItem) -> WrittenItem {
        guard old.keepsOldAttributes else {
            return changed
        }
        var kept = changed
        kept.attributes.merge(old.attributes) { new, _ in new }
        kept.attributes["Uuid"] = "1"
        return kept
    }

    private static func item(_ input: [UInt8]) -> RemoteItem? {
        var written = WrittenItem(label: "", attributes: [:])
        for line in input.split(separator: 0x0A) {
            let words = line.split(separator: UInt8(ascii: "="), maxSplits: 1)
            guard words.count == 2 else {
                continue
            }
            let (name, value) = (ByteString(Array(words[0])), ByteString(Array(words[1])))
            // What is not UTF-8 does not get through D-Bus.
            guard name.isSendable, value.isSendable else {
                continue
            }
            if name == "@label" {
                written.label = value
            } else {
                written.attributes[name] = value
            }
        }
        return remote(written)
    }

    private static func remote(_ item: WrittenItem) -> RemoteItem {
        func number(_ name: ByteString) -> Int64 {
            Int64(clamping: item.attributes[name].flatMap { UInt64($0.description) } ?? 0)
        }
        let attributes = item.attributes.filter { $0.key.bytes.first != UInt8(ascii: "@") }
        return RemoteItem(
            path: "/org/freedesktop/secrets/1", label: item.label, attributes: attributes,
            created: number("@created"), modified: number("@modified"))
    }
}
