internal import LanyardConfiguration
internal import KeychainServices
internal import Keychains
internal import LinuxSystem
internal import SealedStore
internal import ToolSetup

/// Checks the sealed keychains: those in the search list, and those with a file.
struct KeychainsCheck: Check {
    static let name = "keychains"

    static func isApplicable(_ context: DiagnosisContext) -> Bool { context.configuration != nil }

    func findings(_ context: DiagnosisContext) -> [Finding] {
        let names = (try? context.configuration?.keychains()) ?? []
        // Another check reports a variable that names a missing keychain.
        let isOfVariable =
            (try? context.configuration?.searchList())?.origin == "LANYARD_KEYCHAIN"
        return context.keychainStates.flatMap { state in
            let own =
                isOfVariable && !state.keychain.exists && !names.contains(state.keychain.name)
                ? [] : findings(state, names, context)
            let shared = context.places.flatMap {
                state.failure == nil
                    ? SharedKeychainState(state.keychain, stateFolder: $0.state) : nil
            }
            let others = [
                KeychainsCheck.damageFinding(state), KeychainsCheck.touchFinding(state, context),
            ]
            return own + others.compactMap(\.self) + (shared?.findings(now: context.now) ?? [])
        }
    }

    private func findings(
        _ state: SealedKeychainState, _ names: [String], _ context: DiagnosisContext
    ) -> [Finding] {
        let keychain = state.keychain
        if let finding = failure(state, names, context) {
            return [finding]
        }
        guard keychain.exists, state.failure == nil else {
            return []
        }
        if state.lockState == .locked, let reason = state.reasonForRecoveryKey {
            return [
                Finding(
                    .machineKeyOther,
                    "the keychain '\(name: keychain.name)' is locked: \(plain: reason)",
                    command: "lanyard unlock --recovery-key\(keychain.option)")
            ]
        }
        let isLocked = state.lockState == .locked && keychain.isInUse
        let locked = isLocked ? KeychainsCheck.lockedFinding(keychain, context) : nil
        let place = MachineKeyPlace(stateFolder: keychain.location.stateFolder)
        let storage = (try? place.storage()) ?? nil
        if let finding = KeychainsCheck.recoveryFinding(state, storage) {
            return [locked, finding].compactMap(\.self)
        }
        guard state.lockState == .noPassphrase, keychain.isInUse, place.canSeal,
            let storage, storage.sealedTo == nil, !storage.isMoved
        else {
            return [locked].compactMap(\.self)
        }
        return [
            Finding(
                .machineKeyPlain, "the machine key is not sealed to this machine",
                command: "lanyard machine-key seal")
        ]
    }

    /// Returns a finding about what the recovery key does not open.
    private static func recoveryFinding(
        _ state: SealedKeychainState, _ storage: MachineKeyPlace.Storage?
    ) -> Finding? {
        let keychain = state.keychain
        guard state.hasRecoveryKey else {
            return Finding(
                .noRecoveryKey, "the keychain '\(name: keychain.name)' has no recovery key",
                command: "lanyard recovery-key create\(keychain.option)",
                meaning: lossWithoutRecoveryKey(
                    hasPassphrase: state.hasPassphrase, isPortable: state.isPortable,
                    isSealed: storage?.sealedTo != nil))
        }
        guard !state.hasCompleteRecoveryKey else {
            return nil
        }
        return Finding(
            .recoveryKeyIncomplete,
            "the recovery key of the keychain '\(name: keychain.name)' does not open the items that ask",
            command: "lanyard recovery-key create --replace\(keychain.option)")
    }

    /// Returns a finding about a keychain that does not open.
    private func failure(
        _ state: SealedKeychainState, _ names: [String], _ context: DiagnosisContext
    ) -> Finding? {
        let keychain = state.keychain
        let name = keychain.name
        guard (try? PrivatePlace.exists(keychain.location.file)) != nil else {
            // Another check reports its folder.
            return nil
        }
        guard keychain.exists else {
            if (try? SealedStore.isVanished(at: keychain.location)) == true {
                if let finding = KeychainsCheck.misled(
                    .keychainMissing, "XDG_DATA_HOME", ".local/share/lanyard",
                    keychain.location.file, "the keychain '\(name: name)'", context)
                {
                    return finding
                }
                let file: FindingText = "'\(path: keychain.location.file)'"
                return Finding(
                    .keychainMissing,
                    "the keychain '\(name: name)' is gone: \(file) is missing",
                    advice: KeychainsCheck.restoring(keychain))
            }
            // The default one is created when needed.
            return name == Configuration.login
                ? nil
                : KeychainsCheck.unknown(keychain, names, context)
        }
        if let finding = machineKeyFinding(state, context) {
            return finding
        }
        if let failure = state.failure {
            let folder = PrivatePlace.folder(of: keychain.location.file)
            // The check of folders reports permissions in Lanyard's own.
            let isReported = failure.status == .writePermissions && folder == context.places?.data
            return isReported ? nil : KeychainsCheck.finding(of: failure, keychain)
        }
        return nil
    }

    /// Returns a finding about a locked keychain; nil if a passphrase that programs are given unlocks it.
    private static func lockedFinding(
        _ keychain: SealedKeychain, _ context: DiagnosisContext
    ) -> Finding? {
        if let configuration = context.configuration,
            case let unlocker = KeychainUnlocker(
                name: keychain.name, configuration: configuration, isSilent: true),
            unlocker.hasGivenPassphrase
        {
            do throws(KeychainError) {
                try SealedStore(at: keychain.location, provider: unlocker).checkGivenPassphrase()
                return nil
            } catch  where !VariablesCheck.isPassphraseFileMissing(context.environment) {
                return Finding(
                    .passphraseFileWrong,
                    "the keychain '\(name: keychain.name)' stays locked: \(said: error.reason)",
                    advice: "\(said: error.hint ?? "fix the file, or unset the variable")")
            } catch {
                // Another check reports it.
            }
        }
        let what: FindingText = "the keychain '\(name: keychain.name)' is locked"
        guard SealedStore.keyringRefusal() == nil else {
            return Finding(
                .keychainLocked, what, advice: "\(plain: KeychainUnlocker.passphraseFileHint)")
        }
        return Finding(.keychainLocked, what, command: "lanyard unlock\(keychain.option)")
    }

    /// Returns a finding about a keychain that opens, but has damaged items or pages.
    private static func damageFinding(_ state: SealedKeychainState) -> Finding? {
        let keychain = state.keychain
        return state.isDamaged
            ? Finding(
                .keychainDamaged, "parts of the keychain '\(name: keychain.name)' are damaged",
                advice:
                    "lanyard verify --quarantine\(keychain.option) moves damaged items aside and"
                    + " keeps the others; or restore it from a backup:"
                    + " lanyard restore\(keychain.option) FILE") : nil
    }

    /// Finds that the programs for security keys are missing.
    private static func touchFinding(
        _ state: SealedKeychainState, _ context: DiagnosisContext
    ) -> Finding? {
        guard state.hasSecurityKey, !context.environment.finds("fido2-assert") else {
            return nil
        }
        return Finding(
            .securityKeyProgramMissing,
            "the keychain '\(name: state.keychain.name)' has a security key,"
                + " but fido2-assert is not installed",
            advice: "install the package fido2-tools")
    }

    /// Returns a finding about a keychain that the configuration names, and that never was here.
    private static func unknown(
        _ keychain: SealedKeychain, _ names: [String], _ context: DiagnosisContext
    ) -> Finding {
        let name = keychain.name
        let others = names.filter { $0 != name } + [Configuration.login]
        let meant = suggestion(for: name, among: others)
        let question: FindingText = meant.map { "; did you mean '\(name: $0)'?" } ?? ""
        let isDefault = (try? context.configuration?.searchList())?.defaultName == name
        guard isDefault else {
            return Finding(
                .keychainMissing,
                "keychain '\(name: name)' not found at '\(path: keychain.location.file)'"
                    + question,
                advice: "fix the name in the configuration (lanyard config),"
                    + " or lanyard restore --keychain \(name: name) FILE")
        }
        let what: FindingText =
            "the setting lanyard.default names a keychain '\(name: name)', which does not exist"
        return meant.map {
            Finding(
                .keychainMissing, what + question,
                command: "lanyard keychain default \(nameArgument: $0)")
        }
            ?? Finding(
                .keychainMissing, what,
                advice: "lanyard keychain default NAME chooses another keychain;"
                    + " lanyard keychain create \(name: name) makes it")
    }

    /// Returns how to go on without a keychain's file, or without its machine key.
    ///
    /// - Parameter what: What to restore.
    private static func restoring(
        _ keychain: SealedKeychain, _ what: String = "it from a backup"
    ) -> FindingText {
        "restore \(plain: what): lanyard restore\(keychain.option) FILE;"
            + " or forget it: lanyard keychain delete \(name: keychain.name)"
    }

    /// Finds that a file is missing because a variable leads elsewhere: it is in the folder without it.
    private static func misled(
        _ code: FindingCode, _ variable: String, _ folder: String, _ file: String,
        _ what: FindingText, _ context: DiagnosisContext
    ) -> Finding? {
        let environment = context.environment
        guard environment.value("LANYARD_HOME") == nil,
            environment.value(variable)?.hasPrefix("/") == true, let home = context.home,
            case let other = "\(home)/\(folder)/\(file.lastPathComponent)", other != file,
            (try? PrivatePlace.exists(other)) == true
        else {
            return nil
        }
        return Finding(
            code,
            "\(what) is '\(path: other)', but \(plain: variable) leads to '\(path: file)'",
            command: "unset \(plain: variable)")
    }

    private func machineKeyFinding(
        _ state: SealedKeychainState, _ context: DiagnosisContext
    ) -> Finding? {
        let folder = state.keychain.location.stateFolder
        let code: FindingCode
        let what: FindingText
        // Another check reports permissions.
        switch try? MachineKey.find(stateFolder: folder) {
        case nil, .key: return nil
        case .missing:
            code = .machineKeyMissing
            if let finding = KeychainsCheck.misled(
                code, "XDG_STATE_HOME", ".local/state/lanyard", "\(folder)/machine-key",
                "the machine key of the keychain '\(name: state.keychain.name)'", context)
            {
                return finding
            }
            what =
                "the machine key '\(path: "\(folder)/machine-key")' of the keychain"
                + " '\(name: state.keychain.name)' is missing"
        case .unreadable(let error) where error.status == .decode:
            code = .machineKeyDamaged
            what =
                "the keychain '\(name: state.keychain.name)' is locked: \(said: error.reason)"
        case .unreadable(let error):
            return Finding(
                .machineKeyUnreadable, "\(said: error.reason)",
                command: "lanyard machine-key renew")
        }
        guard state.hasPassphrase && state.isPortable || state.hasRecoveryKey else {
            return Finding(
                code, what,
                advice: "restore it from a backup of its folder; or"
                    + " \(KeychainsCheck.restoring(state.keychain, "a backup that has a recovery key"))"
            )
        }
        let option: FindingText = state.hasPassphrase ? "" : " --recovery-key"
        // A new key can't open items bound to this machine.
        return Finding(
            code, what,
            advice: "restore it from a backup of its folder; without one,"
                + " lanyard unlock\(option)\(state.keychain.option)")
    }

    /// Returns a keychain's error as a finding.
    static func finding(
        of error: KeychainError, _ keychain: SealedKeychain
    ) -> Finding {
        let start = "the keychain '\(keychain.name)' "
        let what: FindingText =
            error.reason.hasPrefix(start)
            ? "the keychain '\(name: keychain.name)' \(said: String(error.reason.dropFirst(start.count)))"
            : "the keychain '\(name: keychain.name)': \(said: error.reason)"
        switch error.status {
        case .databaseLocked:
            return Finding(.keychainBusy, what, advice: "end the program that is using it")
        case .invalidKeychain:
            return Finding(.keychainWrongFormat, what, advice: restoring(keychain))
        case .wrongVersion:
            return Finding(.keychainNewerFormat, what, advice: "install a newer lanyard")
        case .decode:
            let isOlder = error.hint?.contains("lanyard keychain accept-restore") == true
            return isOlder
                ? Finding(
                    .keychainOlderCopy, what,
                    advice: "if you restored it yourself,"
                        + " lanyard keychain accept-restore \(name: keychain.name);"
                        + " if not, restore the newer file")
                : Finding(.keychainDamaged, what, command: "lanyard verify\(keychain.option)")
        case .authFailed:
            return Finding(
                .machineKeyOther, what,
                advice:
                    "\(said: error.hint ?? "restore the machine key that belongs to the keychain")")
        default:
            // An older file would lose what is stored, and the newer one may have no fault.
            return Finding(
                .keychainUnreadable, what,
                advice:
                    "\(said: error.hint ?? "remove this cause; the file itself may have no fault")")
        }
    }
}
