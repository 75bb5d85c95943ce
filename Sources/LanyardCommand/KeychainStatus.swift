internal import HelperKit
internal import Keychain
internal import SealedStore

/// What there is to say of a sealed keychain without opening any item.
struct KeychainStatus {
    let name: String
    let path: String
    let dataFolder: String
    let stateFolder: String
    /// How many items it holds, nil if it does not exist.
    let items: Int?

    /// - Parameter named: The keychain's name, nil for the one in use.
    /// - Throws: ``Status/noSuchKeychain`` if a keychain other than `login` does not exist; what
    ///   opening it throws.
    init(named: String?) throws(KeychainError) {
        let configuration = try Configuration()
        name = configuration.keychainInUse(flag: named)
        let location = try configuration.location(ofKeychain: name)
        path = location.file
        dataFolder = PrivatePlace.parent(of: location.file) ?? "/"
        stateFolder = location.stateFolder
        do throws(KeychainError) {
            items = try SealedStore(at: location).count()
        } catch {
            guard error.status == .noSuchKeychain else {
                throw error
            }
            guard name == Configuration.login else {
                throw KeychainError(
                    .noSuchKeychain, "there is no keychain '\(name)' at '\(location.file)'",
                    hint: "lanyard keychain create \(name)")
            }
            items = nil
        }
    }
}
