package import KeychainServices
internal import Keychains

extension SecKeychain {
    /// Returns the keychains of the user's search list.
    package static func userSearchList() throws(KeychainError) -> [SecKeychain] {
        try UserKeychains().searchList().map { SecKeychain(name: $0) }
    }

    /// Chooses the keychains of the user's search list, for every program; an empty list restores the default.
    package static func setUserSearchList(_ list: [SecKeychain]) throws(KeychainError) {
        var keychains = try UserKeychains()
        try keychains.setSearchList(list.map(\.name))
        ProgramKeychains.closeAll()
    }
}
