import Glibc
import KeychainServices
import Keychains
import SealedStore

/// The code of the article The search list.
func searchList(folder: String) throws {
    try chooseOneFile(folder)
    try useTheUsersList()
}

private func chooseOneFile(_ folder: String) throws {
    let location = KeychainLocation(
        file: "\(folder)/data/my-program.keychain", stateFolder: "\(folder)/state")
    let store = try SealedStore.openOrMake(at: location)
    let keychain = Keychain(store, accessGroup: "my-program")
    try keychain.setPassword("a token", service: "my-program", account: "ada")
}

private func useTheUsersList() throws {
    let keychain = try Keychain.login()
    do throws(KeychainError) {
        guard let token = try keychain.password(service: "my-program", account: "ada") else {
            print("no keychain in the search list has it")
            return
        }
        print("\(token.utf8.count) bytes")
    } catch {
        print("\(error.reason); try: \(error.hint ?? "lanyard doctor")")
    }
}
