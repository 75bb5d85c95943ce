package import LanyardConfiguration
package import KeychainServices
internal import LinuxSystem
internal import SealedStore

/// Watches the sealed keychains of the search list, for one thread.
///
/// The files' folders tell it when to look; a look each second finds what they don't tell: a keychain whose
/// time is over, a change by another machine, a folder that was missing.
package final class KeychainWatch {
    private let flag: String?
    private let accessGroups: AccessGroups
    private let places: Places
    private var list: SearchList
    private var keychains: [WatchedKeychain] = []
    /// The names of the keychains in the search list that can't be watched, because they are not sealed files.
    package private(set) var unwatched: [String] = []
    private var configurationFailure = LastingFailure()
    private var folders = FolderWatch()

    /// How long to wait without a change until the next look, in milliseconds.
    private static let interval: Int64 = 1000
    /// The same after an error that may be over soon.
    private static let shortInterval: Int64 = 50
    /// A commit changes several files one after the other: one look for all of them.
    private static let settlingTime: UInt32 = 2

    /// Begins to watch. What is there already causes no events.
    ///
    /// - Parameters:
    ///   - flag: The only keychain to watch; nil for those of the search list.
    ///   - accessGroups: The groups whose items count.
    /// - Throws: ``Status/param`` for an invalid configuration, and for a keychain given by name that is not a
    ///   sealed file.
    package init(
        keychain flag: String?, accessGroups: AccessGroups, places: Places
    ) throws(KeychainError) {
        self.flag = flag
        self.accessGroups = accessGroups
        self.places = places
        let configuration = try Configuration(places: places)
        list = try configuration.searchList(flag: flag)
        if list.isExplicit, let name = list.names.first {
            _ = try configuration.location(ofKeychain: name)
        }
        try followFolders(watched(configuration))
        try takeKeychains(of: configuration)
    }

    /// The names of the watched keychains, in their order.
    package var names: [String] { keychains.map(\.name) }

    /// Passes events to a closure until a descriptor's other end is gone.
    ///
    /// - Throws: What the closure throws; ``Status/io``.
    package func run(
        untilHangUpOf descriptor: Int32,
        _ body: (KeychainEvent) throws(KeychainError) -> WalkControl
    ) throws(KeychainError) {
        while true {
            for event in look() {
                guard try body(event) == .next else {
                    return
                }
            }
            do throws(SystemCallError) {
                let deadline = Deadline(milliseconds: waitingTime)
                switch try folders.wait(until: deadline, orHangUpOf: descriptor) {
                case .hangUp: return
                case .change: SystemCalls.sleep(milliseconds: KeychainWatch.settlingTime)
                case .deadline: break
                }
            } catch {
                throw error.keychainError("changes can't be waited for")
            }
        }
    }

    private var waitingTime: Int64 {
        configurationFailure.isNew || keychains.contains(where: \.needsAnotherLook)
            ? KeychainWatch.shortInterval : KeychainWatch.interval
    }

    /// Returns what has happened since the last look.
    private func look() -> [KeychainEvent] {
        var events = lookAtConfiguration()
        for index in keychains.indices {
            events += keychains[index].look(accessGroups)
        }
        return events
    }

    private func lookAtConfiguration() -> [KeychainEvent] {
        var events: [KeychainEvent] = []
        var failure: KeychainError?
        do throws(KeychainError) {
            let configuration = try Configuration(places: places)
            let list = try configuration.searchList(flag: flag)
            let before = self.list
            self.list = list
            do throws(KeychainError) {
                // Watched before they are looked at: what happens in between is a change.
                try followFolders(watched(configuration))
                try takeKeychains(of: configuration)
            } catch {
                self.list = before
                throw error
            }
            if list.names != before.names {
                events.append(KeychainEvent(.keychainListChanged, keychains: list.names))
            }
            if list.defaultName != before.defaultName {
                events.append(KeychainEvent(.defaultChanged, keychain: list.defaultName))
            }
        } catch {
            failure = error
        }
        if let error = configurationFailure.take(failure) {
            events.append(KeychainEvent(.unreadable, error: error))
        }
        return events
    }

    /// Returns the sealed keychains of the search list.
    private func watched(
        _ configuration: Configuration
    ) throws(KeychainError) -> [(name: String, location: KeychainLocation)] {
        var watched: [(name: String, location: KeychainLocation)] = []
        for name in list.names where try configuration.kind(ofKeychain: name) == .sealed {
            watched.append((name, try configuration.location(ofKeychain: name)))
        }
        return watched
    }

    private func takeKeychains(of configuration: Configuration) throws(KeychainError) {
        let watched = try watched(configuration)
        var kept: [WatchedKeychain] = []
        for (name, location) in watched {
            if var keychain = keychains.first(where: { $0.name == name }) {
                keychain.location = location
                kept.append(keychain)
            } else {
                kept.append(WatchedKeychain(name, at: location))
            }
        }
        keychains = kept
        unwatched = list.names.filter { name in !watched.contains { $0.name == name } }
    }

    private func followFolders(_ watched: [(name: String, location: KeychainLocation)]) {
        var folders: Set<FolderWatch.Folder> = [FolderWatch.Folder(places.configuration)]
        for (_, location) in watched {
            if let folder = PrivatePlace.parent(of: location.file) {
                folders.insert(FolderWatch.Folder(folder))
            }
            // Unlocking sets the times of a file there.
            folders.insert(FolderWatch.Folder(location.stateFolder, includesAttributes: true))
        }
        self.folders.follow(folders)
    }
}
