public import KeychainServices
internal import LinuxSystem

extension SealedStore {
    /// Returns temporary files of this keychain that interrupted programs left at least an hour
    /// ago. They can be removed.
    ///
    /// - Throws: ``Status/io`` if a folder can't be read; what reading throws.
    public func leftovers() throws(KeychainError) -> [String] {
        let places = [
            (location.dataFolder, [location.fileName]),
            (location.stateFolder, [MachineKey.fileName, KeychainAnchor.fileName(location.name)]),
        ]
        var found: [String] = []
        for (path, names) in places where try PrivatePlace.exists(path) {
            let folder = try PinnedFolder(path)
            for name in names {
                found += try folder.abandoned(of: name).map { folder.path(of: $0) }
            }
        }
        return found.sorted()
    }
}
