internal import LanyardConfiguration
internal import LanyardDiagnosis
internal import Keychains
internal import KeychainServices
internal import KeychainPlugin
internal import ToolSetup

/// The status of a keychain of any kind.
struct KeychainStatus {
    /// The status that the keychain's store reports.
    enum Details {
        case sealed(SealedKeychainStatus)
        case plugin(PluginStatus)
        /// It can't be reached.
        case none
    }

    let name: String
    let kind: KeychainKind
    let details: Details
    let use: KeychainUse

    /// Returns the status of every keychain: those in use in the order of the search list, then the others.
    /// A flag selects a single one.
    ///
    /// - Parameter onFailure: Gets the error of a sealed keychain that can't be opened.
    static func all(
        flag: String?, _ configuration: Configuration,
        onFailure: (String, KeychainError) throws(KeychainError) -> Void
    ) throws(KeychainError) -> [KeychainStatus] {
        let list = try configuration.searchList()
        var names = list.names
        names += try configuration.keychains().filter { !list.names.contains($0) }
        if let flag, !names.contains(flag) {
            names.append(flag)
        }
        var statuses: [KeychainStatus] = []
        var hasDefault = false
        for name in names {
            do throws(KeychainError) {
                let status = try KeychainStatus(
                    name, configuration, list, isFirstUsable: !hasDefault)
                hasDefault = hasDefault || status.use.isDefault
                statuses.append(status)
            } catch {
                if flag == nil || flag == name {
                    try onFailure(name, error)
                }
            }
        }
        if let flag {
            return statuses.filter { $0.name == flag }
        }
        return statuses.filter(\.use.isInUse) + statuses.filter { !$0.use.isInUse }
    }

    /// Returns why the program of a plugin can't start, nil if that is not for want of a library.
    private static func missingLibrary(_ kind: KeychainKind) -> KeychainError? {
        guard let program = findPlugin(kind: kind.name), let environment = try? SetupEnvironment()
        else {
            return nil
        }
        return MissingLibrary(of: program, environment)?.error
    }

    private init(
        _ name: String, _ configuration: Configuration, _ list: SearchList, isFirstUsable: Bool
    ) throws(KeychainError) {
        self.name = name
        kind = try configuration.kind(ofKeychain: name)
        var failure: KeychainError?
        switch kind {
        case .sealed:
            details = .sealed(try SealedKeychainStatus(named: name, configuration))
        case .plugin:
            do throws(KeychainError) {
                let status = try configuration.pluginStatus(ofKeychain: name)
                details = .plugin(status)
                if status.isLocked, !status.canPrompt {
                    failure = SecretServiceProbe.locked
                }
            } catch {
                details = .none
                failure = KeychainStatus.missingLibrary(kind) ?? error
            }
        }
        let position = list.names.firstIndex(of: name)
        let isDefault =
            list.defaultName.map { $0 == name }
            ?? (position != nil && failure == nil && isFirstUsable)
        use = KeychainUse(
            position: position.map { $0 + 1 }, isDefault: isDefault, failure: failure)
    }
}
