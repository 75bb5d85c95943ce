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
        for (folder, names) in places {
            for name in try PrivatePlace.files(in: folder) {
                let path = "\(folder)/\(name)"
                if names.contains(where: { SealedStore.isLeftover(name, of: $0) }), isOld(path) {
                    found.append(path)
                }
            }
        }
        return found.sorted()
    }

    /// Whether ``TemporaryFile`` makes such names.
    private static func isLeftover(_ name: String, of base: String) -> Bool {
        let beginning = "\(base).new-"
        guard name.hasPrefix(beginning) else {
            return false
        }
        let digits = name.utf8.dropFirst(beginning.utf8.count)
        return digits.count == 16 && digits.allSatisfy { "0123456789abcdef".utf8.contains($0) }
    }

    private func isOld(_ path: String) -> Bool {
        guard let changed = try? SystemCalls.modificationDate(at: path) else {
            return false
        }
        return changed.secondsSinceEpoch < now().secondsSinceEpoch - 3600
    }
}
