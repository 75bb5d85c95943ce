public import LanyardConfiguration
internal import LinuxSystem

/// Notes that items went to another keychain because their own could not be used: `lanyard keychain copy`
/// brings them back.
public struct StoredElsewhere {
    /// The keychain with the items, and the one meant for them.
    public struct Entry: Equatable, Sendable {
        /// The name of the keychain with the items.
        public let keychain: String
        /// The name of the keychain meant for them.
        public let home: String

        /// Keychain names contain no colon.
        fileprivate var name: String { "\(prefix)\(keychain):\(home)" }
    }

    private let folder: String

    /// - Parameter places: Locate the state folder.
    public init(_ places: Places) {
        folder = places.state
    }

    /// The recorded entries.
    public var entries: [Entry] {
        guard let names = try? PrivatePlace.files(in: folder) else {
            return []
        }
        return names.sorted().compactMap { name in
            guard name.hasPrefix(prefix) else {
                return nil
            }
            let parts = name.dropFirst(prefix.count).split(separator: ":")
            return parts.count == 2
                ? Entry(keychain: String(parts[0]), home: String(parts[1])) : nil
        }
    }

    /// Records that something goes into a keychain, and ignores failures.
    ///
    /// - Returns: Whether that was not recorded yet.
    @discardableResult
    public func add(_ keychain: String, home: String) -> Bool {
        let file = "\(folder)/\(Entry(keychain: keychain, home: home).name)"
        guard (try? PrivatePlace.exists(file)) != true else {
            return false
        }
        try? PrivatePlace.makeFolder(folder)
        let nothing: [UInt8] = []
        return (try? PrivatePlace.createFile(file, nothing.span)) == true
    }

    /// Removes the record before everything in a keychain is copied to another one: what is stored
    /// meanwhile makes a new one.
    ///
    /// - Returns: Whether there was one.
    @discardableResult
    public func remove(_ keychain: String, home: String) -> Bool {
        let name = Entry(keychain: keychain, home: home).name
        return (try? SystemCalls.unlink("\(folder)/\(name)")) != nil
    }
}

private let prefix = "stored-elsewhere-"
