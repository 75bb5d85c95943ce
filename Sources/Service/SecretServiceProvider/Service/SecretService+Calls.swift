#if SecretService
internal import KeychainServices

// The methods of all interfaces.
extension SecretService {
    /// Answers a call now or later; also those of the interface `Properties`.
    func take(_ call: MethodCall) {
        queue.add(call.sender) { [self] in answer(call) }
    }

    private func answer(_ call: MethodCall) {
        noteCall()
        refresh()
        // Not before: a call may want many secrets.
        defer { collections.forEach { $0.close() } }
        do throws(BusError) {
            try SecretService.checkSize(call.arguments)
            switch ObjectPath(call.path) {
            case _ where call.interface == "Introspection":
                call.answer(.text(try description(of: call.path, for: call.sender)))
            case .some where call.interface == "Properties": try takeForProperties(call)
            case .service: try takeForService(call)
            case .collection, .alias:
                guard let collection = collection(at: call.path) else {
                    throw .noSuchObject
                }
                try take(call, for: collection)
            case .item(let name, let id):
                guard let collection = collection(named: name) else {
                    throw .noSuchObject
                }
                try take(call, for: id, in: collection)
            case .session(let number):
                guard clients[call.sender]?.closeSession(number) == true else {
                    throw .unknownObject
                }
                call.answer()
            case .prompt(let number):
                let prompt = try prompt(number, of: call.sender)
                call.answer()
                if call.method == "Prompt" {
                    prompt.begin()
                } else {
                    prompt.dismiss()
                }
            case nil: throw .unknownObject
            }
        } catch {
            call.fail(error)
        }
    }

    /// More than the largest secret and the longest attributes, in bytes.
    private static let sizeLimit = 4 << 20

    /// - Throws: ``BusError/limitsExceeded(_:)``.
    private static func checkSize(_ arguments: BusValue) throws(BusError) {
        guard arguments.size <= sizeLimit else {
            throw .limitsExceeded("a message of more than 4 MiB is too large")
        }
    }

    private func takeForService(_ call: MethodCall) throws(BusError) {
        let arguments = call.arguments
        switch call.method {
        case "OpenSession":
            let (session, output) = try Session.open(
                algorithm: arguments[0].string, input: arguments[1].content,
                number: nextNumber(), owner: call.sender)
            client(call.sender).add(session)
            call.answer(.variant(output), .path(session.path))
        case "CreateCollection":
            try createCollection(
                call, label: arguments[0].properties["\(Interfaces.collection).Label"],
                alias: arguments[1].string)
        case "SearchItems":
            let found = try search(arguments[0].texts)
            call.answer(.paths(found.unlocked), .paths(found.locked))
        case "Unlock": try unlock(call, arguments[0].strings)
        case "Lock": call.answer(.paths(try lock(arguments[0].strings)), .path(ObjectPath.none))
        case "GetSecrets":
            let session = try session(arguments[1].string, of: call.sender)
            call.answer(try secrets(arguments[0].strings, session, call.sender))
        case "ReadAlias":
            let collection = collection(forAlias: arguments[0].string)
            call.answer(.path(collection?.path.text ?? ObjectPath.none))
        default:
            try setAlias(arguments[0].string, to: arguments[1].string)
            call.answer()
        }
    }

    private func search(
        _ wanted: [ByteString: ByteString]
    ) -> (unlocked: [String], locked: [String]) {
        var unlocked: [String] = []
        var locked: [String] = []
        for collection in collections {
            for id in collection.catalog.search(wanted) {
                let path = ObjectPath.item(collection.name, id).text
                if collection.isLocked || collection.catalog[id]?.hasConditions == true {
                    locked.append(path)
                } else {
                    unlocked.append(path)
                }
            }
        }
        return (unlocked, locked)
    }

    /// The most bytes of secrets in one answer; the bus ends a connection that sends it more than it takes.
    private static let secretsLimit = 32 << 20

    private func secrets(
        _ paths: [String], _ session: Session, _ sender: String
    ) throws(BusError) -> BusValue {
        var entries: [BusValue] = []
        var size = 0
        for path in Set(paths) {
            guard case .item(let name, let id)? = ObjectPath(path),
                let collection = collection(named: name), let item = collection.catalog[id],
                !collection.isLocked(item)
            else {
                continue
            }
            do throws(BusError) {
                let secret = try collection.secret(id, context(sender, collection, item))
                size += secret.count
                guard size <= SecretService.secretsLimit else {
                    throw .limitsExceeded("the secrets are too large for one answer")
                }
                entries.append(
                    .entry(
                        .path(path),
                        try session.encode(secret, contentType: item.contentType)))
            } catch {
                // An item that does not trust this program is left out, as a locked one is.
                guard
                    error.name == BusError.isLocked.name
                        || error.name == BusError.noSuchObject.name
                else {
                    throw error
                }
            }
        }
        return .array("{o(oayays)}", entries)
    }

    private func setAlias(_ alias: String, to path: String) throws(BusError) {
        guard alias == "default" else {
            throw .notSupported("only the alias default can be set")
        }
        guard let collection = collection(at: path) else {
            throw path == ObjectPath.none
                ? .notSupported("there is always a default collection") : .noSuchObject
        }
        guard collection.name != Collection.session else {
            throw .notSupported("the default collection can't end with the session")
        }
        try setDefault(collection)
    }

    private func take(_ call: MethodCall, for collection: Collection) throws(BusError) {
        let arguments = call.arguments
        switch call.method {
        case "SearchItems":
            let found = try collection.catalog.search(arguments[0].texts)
            call.answer(.paths(found.map { ObjectPath.item(collection.name, $0).text }))
        case "CreateItem":
            let path = try createItem(
                in: collection, arguments[0].properties, arguments[1],
                replaces: arguments[2].flag, call.sender)
            call.answer(.path(path), .path(ObjectPath.none))
        default: try delete(collection, call)
        }
    }

    private func createItem(
        in collection: Collection, _ properties: [String: BusValue], _ structure: BusValue,
        replaces: Bool, _ sender: String
    ) throws(BusError) -> String {
        let label = properties["\(Interfaces.item).Label"]
        let attributes = properties["\(Interfaces.item).Attributes"]
        guard label?.isOf("s") ?? true, attributes?.isOf("a{ss}") ?? true else {
            throw .invalidArguments("a property of the item has another type")
        }
        let session = try session(structure[0].string, of: sender)
        let id = try collection.store(
            attributes?.texts ?? [:], label: label?.text ?? "", contentType: structure[3].text,
            secret: session.decode(structure), replaces: replaces,
            context(sender, collection))
        refresh(collection)
        return ObjectPath.item(collection.name, id).text
    }

    private func take(
        _ call: MethodCall, for id: ItemID, in collection: Collection
    ) throws(BusError) {
        switch call.method {
        case "GetSecret":
            let item = try collection.item(id)
            let session = try session(call.arguments[0].string, of: call.sender)
            let secret = try collection.secret(
                id, context(call.sender, collection, item))
            call.answer(try session.encode(secret, contentType: item.contentType))
        case "SetSecret":
            let structure = call.arguments[0]
            let session = try session(structure[0].string, of: call.sender)
            try collection.setSecret(
                id, session.decode(structure), contentType: structure[3].text,
                context(call.sender, collection, collection.catalog[id]))
            refresh(collection)
            call.answer()
        default:
            try collection.delete(id, context(call.sender, collection, collection.catalog[id]))
            refresh(collection)
            call.answer(.path(ObjectPath.none))
        }
    }
}
#endif
