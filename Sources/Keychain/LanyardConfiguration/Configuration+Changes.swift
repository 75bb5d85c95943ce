public import KeychainServices
internal import LinuxSystem

extension Configuration {
    /// Returns the names of all keychains in alphabetical order: `login` if it exists, those with
    /// their own section, and the files in the data folder.
    public func keychains() throws(KeychainError) -> [String] {
        var names = Set(namedKeychains)
        let ending = ".keychain"
        for file in try PrivatePlace.files(in: places.data) where file.hasSuffix(ending) {
            let name = String(file.dropLast(ending.count))
            if (try? places.keychain(name)) != nil {
                names.insert(name)
            }
        }
        return names.sorted()
    }

    /// Returns the name of a keychain with this file, nil if there is none.
    ///
    /// - Parameter name: A keychain that does not count.
    package func keychain(
        withFile file: String, except name: String? = nil
    ) throws(KeychainError) -> String? {
        for other in try keychains() where other != name {
            if let location = try? location(ofKeychain: other),
                PrivatePlace.areSamePlace(location.file, file)
            {
                return other
            }
        }
        return nil
    }

    /// Returns the name of another keychain whose file a keychain's setting `file` names, nil if there is none. A
    /// program that uses both would wait for itself.
    func otherKeychain(withFileOf name: String) throws(KeychainError) -> String? {
        let file = try location(ofKeychain: name).file
        return try file == places.keychain(name).file
            ? nil : keychain(withFile: file, except: name)
    }

    /// Sets the default keychain.
    ///
    /// - Throws: ``Status/writePermissions``, ``Status/readOnly``, ``Status/diskFull``,
    ///   ``Status/io`` if the file can't be written.
    public mutating func setDefaultKeychain(_ name: String) throws(KeychainError) {
        try change { text throws(KeychainError) in try text.set("lanyard", nil, "default", name) }
    }

    /// Sets the search list; an empty one restores the default.
    ///
    /// - Throws: As ``setDefaultKeychain(_:)``.
    public mutating func setSearchList(_ names: [String]) throws(KeychainError) {
        try change { text throws(KeychainError) in
            try names.isEmpty
                ? text.remove("lanyard", nil, "searchList")
                : text.set("lanyard", nil, "searchList", names.joined(separator: " "))
        }
    }

    /// Throws unless a keychain of this name exists; `login` and `secret-service` always do.
    ///
    /// - Throws: ``Status/noSuchKeychain``.
    public func checkIsKnown(_ name: String) throws(KeychainError) {
        let always = [Configuration.login, Configuration.secretService]
        guard try keychains().contains(name) || always.contains(name) else {
            throw missingKeychain(name)
        }
    }

    /// Sets a value in a keychain's section, for example its `file`.
    public mutating func set(
        _ value: String, for key: String, ofKeychain name: String
    ) throws(KeychainError) {
        try change { text throws(KeychainError) in try text.set("keychain", name, key, value) }
    }

    /// Removes a keychain from the configuration: its section, and its role as the default.
    public mutating func forget(keychain name: String) throws(KeychainError) {
        try change { text throws(KeychainError) in
            // The list as it is now: another program may have changed it since it was read here.
            let list = Configuration.names(inList: text.value("lanyard", nil, "searchList"))
            try text.removeSection("keychain", name)
            try text.remove("lanyard", nil, "default", value: name)
            try text.remove("lanyard", nil, "fallback", value: name)
            if list.contains(name) {
                let rest = list.filter { $0 != name }.joined(separator: " ")
                try rest.isEmpty
                    ? text.remove("lanyard", nil, "searchList")
                    : text.set("lanyard", nil, "searchList", rest)
            }
        }
    }

    /// Changes the file while no other program does.
    ///
    /// - Parameter body: Changes the text. It may run twice.
    mutating func change(
        _ body: (inout ConfigurationText) throws(KeychainError) -> Void
    ) throws(KeychainError) {
        let file = Configuration.file(places)
        // Where nothing changes, the lock would make the folder for nothing.
        if try !PrivatePlace.exists(file) {
            var text = try ConfigurationText([])
            try body(&text)
            guard !text.bytes.isEmpty else {
                return
            }
        }
        let turn = try ConfigurationFile.lock(file)
        var text = try ConfigurationText(try ConfigurationFile.read(file) ?? [])
        let before = text.bytes
        try body(&text)
        guard text.bytes != before else {
            return
        }
        try ConfigurationFile.write(file, text.bytes)
        _ = consume turn
        self = try Configuration(places: places)
    }
}
