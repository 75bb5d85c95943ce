import KeychainServices
import Keychains
import SealedStore

/// The code of the article Locking.
func locking(folder: String) throws {
    try storeForJobs()
    try lockAFile(folder)
}

private func storeForJobs() throws {
    let keychain = try Keychain.login()

    var backup = ItemAttributes()
    backup.service = "backup"
    backup.accessible = .afterFirstUnlock
    try keychain.add(.genericPassword, backup, secret: Secret("a password"))

    do throws(KeychainError) {
        let password = try keychain.password(service: "backup", account: "")
        print("\(password?.utf8.count ?? 0) bytes")
    } catch {
        guard error.status == .interactionNotAllowed else { throw error }
        print("locked: run \(error.hint ?? "lanyard unlock")")
    }

    var query = Query(.genericPassword, returns: [.attributes, .data])
    query.match.limit = .all
    query.match.authenticationUI = .skip
    try keychain.forEachMatch(query) { item throws(KeychainError) in
        print(item.attributes?.service ?? "no service")
        return .next
    }

    for attributes in try keychain.attributes(of: Query(.genericPassword)) {
        print(attributes.service ?? "no service")
    }
}

private func lockAFile(_ folder: String) throws {
    let location = KeychainLocation(
        file: "\(folder)/data/my-program.keychain", stateFolder: "\(folder)/state")
    let store = try SealedStore(at: location, provider: TerminalPrompt())
    switch try store.lockState() {
    case .noPassphrase: print("always unlocked")
    case .locked: try store.unlock(timeout: 4 * 3600)
    case .unlocked: try store.lock()
    }
}

final class TerminalPrompt: PassphraseProvider {
    func givenPassphrase() throws(KeychainError) -> GivenPassphrase? { nil }

    func askForPassphrase(_ question: UnlockQuestion) throws(KeychainError) -> Secret {
        print("passphrase: ", terminator: "")
        guard let line = readLine() else {
            throw KeychainError(.userCanceled)
        }
        return Secret(line)
    }

    func timeout() throws(KeychainError) -> UInt32? { 8 * 3600 }

    func keychainStaysLocked(_ reason: KeychainError) {
        print("unlocked for this program only: \(reason.reason)")
    }
}
