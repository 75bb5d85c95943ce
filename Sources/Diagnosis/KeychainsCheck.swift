internal import HelperKit
internal import Keychain
internal import LinuxSystem
internal import SealedStore

/// The sealed keychains: each that is looked in, and each that there is a file of.
struct KeychainsCheck: Check {
    static let name = "keychains"

    func findings(_ context: DiagnosisContext) async -> [Finding] {
        context.keychainStates.compactMap(finding)
    }

    private func finding(_ state: SealedKeychainState) -> Finding? {
        let keychain = state.keychain
        let name = keychain.name
        guard keychain.exists else {
            // The default one is made when it is needed.
            return name == Configuration.login
                ? nil
                : Finding(
                    .keychainMissing,
                    "there is no keychain '\(name: name)' at '\(path: keychain.location.file)'",
                    command: "lanyard keychain create \(name: name)")
        }
        if let finding = machineKeyFinding(state) {
            return finding
        }
        if let failure = state.failure {
            return KeychainsCheck.finding(of: failure, keychain)
        }
        if state.lockState == .locked, keychain.isInUse {
            return Finding(
                .keychainLocked, "the keychain '\(name: name)' is locked",
                command: "lanyard unlock\(keychain.option)")
        }
        guard state.lockState == .noPassphrase, !state.hasRecoveryKey else {
            return nil
        }
        return Finding(
            .noRecoveryKey, "the keychain '\(name: name)' has no recovery key",
            command: "lanyard recovery-key create\(keychain.option)")
    }

    private func machineKeyFinding(_ state: SealedKeychainState) -> Finding? {
        let folder = state.keychain.location.stateFolder
        let path = "\(folder)/machine-key"
        do throws(KeychainError) {
            guard try MachineKey.read(stateFolder: folder) == nil else {
                return nil
            }
        } catch {
            // Permissions are told of by themselves.
            return error.status == .decode
                ? Finding(
                    .machineKeyDamaged, "the machine key '\(path: path)' is damaged",
                    advice: "put it back from a backup of its folder")
                : nil
        }
        let what: FindingText = "the machine key '\(path: path)' is missing"
        guard state.hasPassphrase || state.hasRecoveryKey else {
            return Finding(
                .machineKeyMissing, what, advice: "put it back from a backup of its folder")
        }
        let option: FindingText = state.hasPassphrase ? "" : " --recovery-key"
        return Finding(
            .machineKeyMissing, what, command: "lanyard unlock\(option)\(state.keychain.option)")
    }

    /// What an error says of a keychain; nil for what another check tells.
    private static func finding(of error: KeychainError, _ keychain: SealedKeychain) -> Finding? {
        let what: FindingText = "the keychain '\(name: keychain.name)': \(said: error.reason)"
        let backup: FindingText = "put the file back from a backup"
        switch error.status {
        case .writePermissions:
            return nil
        case .databaseLocked:
            return Finding(.keychainBusy, what, advice: "end the program that holds it")
        case .invalidKeychain:
            return Finding(.keychainWrongFormat, what, advice: backup)
        case .wrongVersion:
            return Finding(.keychainNewerFormat, what, advice: "install a newer lanyard")
        case .decode:
            let isOlder = error.hint?.hasSuffix("lanyard keychain accept-restore") == true
            return isOlder
                ? Finding(
                    .keychainOlderCopy, what,
                    command: "lanyard keychain accept-restore \(name: keychain.name)")
                : Finding(.keychainDamaged, what, command: "lanyard verify\(keychain.option)")
        case .authFailed:
            return Finding(
                .machineKeyOther, what,
                advice: "put back the machine-key file that belongs to the keychain")
        default:
            return Finding(.keychainUnreadable, what, advice: backup)
        }
    }
}
