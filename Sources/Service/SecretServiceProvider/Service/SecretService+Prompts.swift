#if SecretService
internal import LanyardConfiguration
internal import KeychainServices

// What may take the user's answer: unlocking, creating and deleting collections.
extension SecretService {
    /// Returns the collection of an object: of itself, or of an item.
    private func collection(of path: String) -> Collection? {
        if case .item(let name, let id)? = ObjectPath(path) {
            return collection(named: name).flatMap { $0.catalog[id] == nil ? nil : $0 }
        }
        return collection(at: path)
    }

    /// Locks the collections of objects.
    ///
    /// - Returns: The objects that are locked now.
    func lock(_ paths: [String]) throws(BusError) -> [String] {
        var locked: [String] = []
        for path in paths {
            guard let collection = collection(of: path) else {
                continue
            }
            _ = try collection.lock()
            refresh(collection)
            if collection.isLocked {
                locked.append(path)
            }
        }
        return locked
    }

    func unlock(_ call: MethodCall, _ paths: [String]) throws(BusError) {
        let unlocked = paths.filter { collection(of: $0)?.isLocked == false }
        let locked = paths.filter { collection(of: $0)?.isLocked == true }
        guard !locked.isEmpty else {
            return call.answer(.paths(unlocked), .path(ObjectPath.none))
        }
        var names: [String] = []
        for name in locked.compactMap({ collection(of: $0)?.name }) where !names.contains(name) {
            names.append(name)
        }
        let prompt = try makePrompt(.unlock(names), call.sender) { [self] _ in
            .paths(locked.filter { collection(of: $0)?.isLocked == false })
        }
        call.answer(.paths(unlocked), .path(prompt.path))
    }

    func createCollection(
        _ call: MethodCall, label: BusValue?, alias: String
    ) throws(BusError) {
        if !alias.isEmpty, let existing = collection(forAlias: alias) {
            return call.answer(.path(existing.path.text), .path(ObjectPath.none))
        }
        guard alias.isEmpty else {
            throw .notSupported("only the aliases default, login and session exist")
        }
        guard scope.isNone else {
            throw .notSupported(
                "this bus shows a part of the keychains: it gets no other collection")
        }
        guard label?.isOf("s") ?? true else {
            throw .invalidArguments("the label is no text")
        }
        let name = freeName(label?.string ?? "")
        let prompt = try makePrompt(.create(name), call.sender) { [self] isDone in
            guard isDone, let collection = collection(named: name) else {
                return .path(ObjectPath.none)
            }
            if let label {
                // The collection is there even without it.
                try? setLabel(of: collection, to: label.string)
            }
            return .path(collection.path.text)
        }
        call.answer(.path(ObjectPath.none), .path(prompt.path))
    }

    /// Makes a keychain's name of a label, one that is free.
    private func freeName(_ label: String) -> String {
        var name = ""
        for character in label.lowercased() {
            let isPlain = character.isASCII && (character.isLetter || character.isNumber)
            name.append(isPlain ? character : "-")
        }
        name = String(name.drop { $0 == "-" }.prefix(48))
        if name.isEmpty {
            name = "collection"
        }
        let first = name
        var number = 2
        while collection(named: name) != nil {
            name = "\(first)-\(number)"
            number += 1
        }
        return name
    }

    func delete(_ collection: Collection, _ call: MethodCall) throws(BusError) {
        guard collection.name != Collection.session else {
            throw .notSupported("the collection of the session ends with it")
        }
        guard scope.group == nil else {
            throw .notSupported("the collection has items that this bus does not show")
        }
        let prompt = try makePrompt(.delete(collection.name), call.sender) { _ in .text("") }
        call.answer(.path(prompt.path))
    }

    /// Makes a prompt.
    ///
    /// - Parameter result: Returns the result for the client once everything was done, or not.
    private func makePrompt(
        _ question: Question, _ sender: String, result: @escaping (Bool) -> BusValue
    ) throws(BusError) -> Prompt {
        let number = nextNumber()
        let program = client(sender).program(connection).application?.path.description
        let prompt = Prompt(number, owner: sender, question, program: program) {
            [unowned self] isDone in
            guard clients[sender]?.removePrompt(number) == true else {
                return
            }
            refresh()
            // Some clients don't listen for it, such as go-libsecret, but wait until it comes.
            connection.emit(
                "Completed", of: Interfaces.prompt, at: ObjectPath.prompt(number).text, to: sender,
                .flag(!isDone), .variant(result(isDone)))
        }
        try client(sender).add(prompt)
        return prompt
    }
}
#endif
