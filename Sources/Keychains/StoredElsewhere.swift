public import Configuration
internal import LinuxSystem

/// Notes that items went into another keychain than they were meant for, since that one could not be used:
/// `lanyard keychain copy` brings them home.
public struct StoredElsewhere {
    /// Where they are, and where they were to go.
    public struct Entry: Equatable, Sendable {
        /// The name of the keychain that they are in.
        public let keychain: String
        /// The name of the keychain that they were meant for.
        public let home: String

        /// No keychain's name has a colon in it.
        fileprivate var name: String { "\(prefix)\(keychain):\(home)" }
    }

    private let folder: String

    /// - Parameter places: Say where the state is kept.
    public init(_ places: Places) {
        folder = places.state
    }

    /// What was noted.
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

    /// Notes that something went into a keychain. That it can't be noted is no reason to fail.
    func add(_ keychain: String, home: String) {
        let file = "\(folder)/\(Entry(keychain: keychain, home: home).name)"
        guard (try? PrivatePlace.exists(file)) != true else {
            return
        }
        try? PrivatePlace.makeFolder(folder)
        let nothing: [UInt8] = []
        _ = try? PrivatePlace.createFile(file, nothing.span)
    }

    /// Takes note that everything in a keychain was copied into another one.
    public func remove(_ keychain: String, home: String) {
        try? SystemCalls.unlink("\(folder)/\(Entry(keychain: keychain, home: home).name)")
    }
}

private let prefix = "stored-elsewhere-"
