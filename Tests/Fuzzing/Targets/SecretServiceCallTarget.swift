import CGLib
import KeychainServices
import SecretServiceStore

@testable import SecretServiceProvider

/// What clients of the Secret Service send: a letter for the kind, and the arguments as GVariant writes them, or the
/// data of another program's item. What is stored is found, and is what was stored.
enum SecretServiceCallTarget: FuzzTarget {
    static let name = "secret-service-call"

    static func run(_ input: [UInt8]) {
        let rest = Array(input.dropFirst())
        switch input.first {
        case UInt8(ascii: "i"): store(value("(a{sv}(oayays)b)", rest))
        case UInt8(ascii: "s"): search(value("(a{ss})", rest))
        case UInt8(ascii: "p"): paths(value("(ao)", rest))
        case UInt8(ascii: "o"): open(value("(sv)", rest))
        case UInt8(ascii: "d"): read(ByteString(rest))
        default: break
        }
    }

    /// The value in the form that GLib hands over: it has checked a message.
    private static func value(_ type: String, _ bytes: [UInt8]) -> BusValue {
        let kind = g_variant_type_new(type)
        let data = g_bytes_new(bytes, gsize(bytes.count))
        let written = BusValue(taking: g_variant_new_from_bytes(kind, data, 0))
        g_bytes_unref(data)
        g_variant_type_free(kind)
        return BusValue(taking: g_variant_get_normal_form(written.pointer))
    }

    private static func store(_ arguments: BusValue) {
        let collection = Collection(name: "fuzzed", MemorySource())
        let structure = arguments[1]
        do throws(BusError) {
            _ = ObjectPath(structure[0].string)
            let (session, _) = try Session.open(
                algorithm: "plain", input: .text(""), number: 1, owner: ":1.1")
            let properties = try arguments[0].properties
            let label = properties["\(Interfaces.item).Label"]
            let attributes = properties["\(Interfaces.item).Attributes"]
            guard label?.isOf("s") ?? true, attributes?.isOf("a{ss}") ?? true else {
                return
            }
            let wanted = try attributes?.texts ?? [:]
            var ids: [ItemID] = []
            for replaces in [false, arguments[2].flag, true] {
                ids.append(
                    try collection.store(
                        wanted, label: label?.text ?? "", contentType: structure[3].text,
                        secret: session.decode(structure), replaces: replaces, nil))
                _ = collection.refresh()
            }
            guard let id = ids.last, let item = collection.catalog[id] else {
                fail("an item that was stored is not there")
            }
            check(item.compared == ServedItem.compared(wanted), "an item has other attributes")
            check(item.label == label?.text ?? "", "an item has another label")
            check(item.contentType == structure[3].text, "an item has another content type")
            check(collection.catalog.search(wanted).contains(id), "an item is not found")
            let secret = try collection.secret(id, nil)
            check(secret.array() == structure[2].bytes.array(), "an item has another secret")
        } catch {
            check(error)
        }
    }

    private static func search(_ arguments: BusValue) {
        let catalog = ItemCatalog()
        do throws(BusError) {
            check(catalog.search(try arguments[0].texts).isEmpty, "nothing is found")
        } catch {
            check(error)
        }
    }

    private static func paths(_ arguments: BusValue) {
        do throws(BusError) {
            for path in try arguments[0].strings {
                if let known = ObjectPath(path) {
                    check(known.text == path, "an object has two paths")
                }
            }
        } catch {
            check(error)
        }
    }

    private static func open(_ arguments: BusValue) {
        do throws(BusError) {
            _ = try Session.open(
                algorithm: arguments[0].string, input: arguments[1].content, number: 1,
                owner: ":1.1")
        } catch {
            check(error)
        }
    }

    private static func read(_ data: ByteString) {
        guard let item = OtherItem(data) else {
            return
        }
        let stored = item.stored(label: "label", number: 1)
        guard let again = stored.generic.flatMap({ OtherItem($0) }) else {
            fail("an item that was written anew is none")
        }
        check(again.attributes == item.attributes, "an item has other attributes")
        check(again.contentType == item.contentType, "an item has another content type")
    }

    private static func check(_ error: BusError) {
        fuzz.check(!error.text.isEmpty, "an error has no text")
        fuzz.check(error.name.contains("."), "an error has no name")
    }

    private static func check(_ holds: Bool, _ what: StaticString) {
        fuzz.check(holds, what)
    }
}
