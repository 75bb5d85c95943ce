#if SecretService
internal import Configuration
internal import KeychainServices

// Which objects there are, and their properties.
extension SecretService {
    /// Returns the interfaces of the object at a path, one bit for each in the order of the description; 0 if
    /// there is none.
    func interfaces(at path: String) -> UInt32 {
        // Whether an object is there is asked when it is used: otherwise GLib would answer for it, with an error that
        // clients don't know. The same holds for sessions and prompts, which are their clients' alone.
        switch ObjectPath(path) {
        case .service: Interfaces.Bit.service
        case .collection, .alias: Interfaces.Bit.collection
        case .item: Interfaces.Bit.item
        case .session: Interfaces.Bit.session
        case .prompt: Interfaces.Bit.prompt
        case nil: 0
        }
    }

    /// Returns the names of the objects directly below a path.
    func children(of path: String) -> [String] {
        func last(_ path: ObjectPath) -> String {
            String(path.text.split(separator: "/").last ?? "")
        }
        switch path {
        case ObjectPath.aliases: return SecretService.aliases
        default:
            guard case .collection(let name)? = ObjectPath(path),
                let collection = collection(named: name)
            else {
                return []
            }
            return collection.catalog.ids.map { last(.item(name, $0)) }
        }
    }

    /// Answers a call of the interface `Properties`; GLib has compared names and types with the descriptions.
    func takeForProperties(_ call: MethodCall) throws(BusError) {
        switch call.method {
        case "Get":
            let value = try property(call.arguments[1].string, at: call.path)
            call.answer(.variant(value))
        case "GetAll":
            var properties: [String: BusValue] = [:]
            for name in SecretService.properties(at: call.path) {
                properties[name] = try property(name, at: call.path)
            }
            call.answer(.properties(properties))
        default:
            try setProperty(
                call.arguments[1].string, at: call.path, to: call.arguments[2].content)
            call.answer()
        }
    }

    private static func properties(at path: String) -> [String] {
        switch ObjectPath(path) {
        case .service: ["Collections"]
        case .collection, .alias: ["Items", "Label", "Locked", "Created", "Modified"]
        case .item: ["Locked", "Attributes", "Label", "Type", "Created", "Modified"]
        default: []
        }
    }

    private func property(_ name: String, at path: String) throws(BusError) -> BusValue {
        switch ObjectPath(path) {
        case .service: return .paths(collections.map(\.path.text))
        case .collection, .alias:
            guard let collection = collection(at: path) else {
                throw .noSuchObject
            }
            return property(name, of: collection)
        case .item(let collectionName, let id):
            guard let collection = collection(named: collectionName) else {
                throw .noSuchObject
            }
            return property(name, of: try collection.item(id), in: collection)
        default: throw .unknownObject
        }
    }

    private func property(_ name: String, of collection: Collection) -> BusValue {
        switch name {
        case "Items": items(of: collection)
        case "Label": .text(label(of: collection))
        case "Locked": .flag(collection.isLocked)
        case "Created": .number(collection.dates.created)
        default: .number(collection.dates.modified)
        }
    }

    private func property(
        _ name: String, of item: ServedItem, in collection: Collection
    ) -> BusValue {
        switch name {
        case "Locked": .flag(collection.isLocked(item))
        case "Attributes": .texts(item.attributes)
        case "Label": .text(item.label)
        case "Type": .text(item.attributes["xdg:schema"] ?? "org.freedesktop.Secret.Generic")
        case "Created": .number(item.created)
        default: .number(item.modified)
        }
    }

    private func setProperty(
        _ name: String, at path: String, to value: BusValue
    ) throws(BusError) {
        guard case .item(let collectionName, let id)? = ObjectPath(path) else {
            guard let collection = collection(at: path) else {
                throw .noSuchObject
            }
            return try setLabel(of: collection, to: value.string)
        }
        guard let collection = collection(named: collectionName) else {
            throw .noSuchObject
        }
        if name == "Label" {
            try collection.change(id, label: value.text)
        } else {
            try collection.change(id, attributes: try value.texts)
        }
        refresh(collection)
    }
}
#endif
