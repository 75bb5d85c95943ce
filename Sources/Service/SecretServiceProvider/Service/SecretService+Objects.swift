#if SecretService
internal import LanyardConfiguration
internal import KeychainServices

// Which objects there are, and their properties.
extension SecretService {
    /// Returns the interfaces of the object at a path, one bit for each in the order of the descriptions.
    func interfaces(at path: String) -> UInt32 {
        // Whether an object is there is asked when it is used: otherwise GLib would answer for it, with an error that
        // clients don't know. The same holds for sessions and prompts, which are their clients' alone.
        let own =
            switch ObjectPath(path) {
            case .service: Interfaces.Bit.service
            case .collection, .alias: Interfaces.Bit.collection
            case .item: Interfaces.Bit.item
            case .session: Interfaces.Bit.session
            case .prompt: Interfaces.Bit.prompt
            case nil: 0 as UInt32
            }
        return own | Interfaces.Bit.introspection
    }

    /// Describes the object at a path to a client.
    ///
    /// - Throws: ``BusError/unknownObject`` if the client sees none there: sessions and prompts are their clients' alone.
    func description(of path: String, for client: String) throws(BusError) -> String {
        let isThere =
            switch ObjectPath(path) {
            case .service: true
            case .collection, .alias: collection(at: path) != nil
            case .item(let name, let id): collection(named: name)?.catalog[id] != nil
            case .session(let number): clients[client]?.sessions[number] != nil
            case .prompt(let number): clients[client]?.prompts[number] != nil
            case nil: ObjectPath.containers.contains(path)
            }
        guard isThere else {
            throw .unknownObject
        }
        return Interfaces.description(interfaces(at: path), children: children(of: path))
    }

    /// Returns the names of the objects directly below a path.
    private func children(of path: String) -> [String] {
        let paths: [String]
        switch ObjectPath(path) {
        case .service: paths = ObjectPath.containers
        case .collection(let name):
            paths =
                collection(named: name)?.catalog.ids.map { ObjectPath.item(name, $0).text } ?? []
        default:
            switch path {
            case ObjectPath.collections: paths = collections.map(\.path.text)
            case ObjectPath.aliases: paths = SecretService.aliases
            default: paths = []
            }
        }
        return paths.map { String($0.split(separator: "/").last ?? "") }
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
