internal import LanyardConfiguration
internal import KeychainServices
internal import SealedStore

/// The path that a caller names a keychain with, resolved to a name of the configuration.
///
/// A path without a slash is a name, with or without `.keychain` or `.keychain-db` at its end.
struct KeychainPath {
    /// The name that the keychain has or would get.
    let name: String
    /// The absolute path of the file; nil for a name.
    let file: String?

    /// - Throws: ``Status/param`` for an empty or a relative path with folders.
    init(_ path: String) throws(KeychainError) {
        let last = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
        var name = String(last)
        for ending in [".keychain", ".keychain-db"] where name.hasSuffix(ending) {
            name.removeLast(ending.count)
            break
        }
        guard !name.isEmpty, path.hasPrefix("/") || !path.contains("/") else {
            throw KeychainError(.param, "a keychain needs a name or an absolute path")
        }
        self.name = name
        file = path.hasPrefix("/") ? path : nil
    }

    /// Returns the name of the keychain, whether it exists or not.
    ///
    /// - Throws: ``Status/noSuchKeychain`` for a file that the configuration doesn't know;
    ///   ``Status/param`` for an invalid name or configuration.
    func known(to configuration: Configuration) throws(KeychainError) -> String {
        guard let file else {
            _ = try configuration.places.keychain(name)
            return name
        }
        for known in try configuration.keychains() + [Configuration.login] {
            guard try configuration.kind(ofKeychain: known) == .sealed else {
                continue
            }
            if try configuration.location(ofKeychain: known).file == file {
                return known
            }
        }
        throw KeychainError(
            .noSuchKeychain, "there is no keychain '\(file)' in the configuration",
            hint: "lanyard keychain create \(name) --file \(file)")
    }
}
