internal import LanyardConfiguration
internal import LanyardPrompting
internal import KeychainServices
internal import SealedStore

/// The report of `lanyard verify` about a keychain.
struct VerificationReport {
    /// The keychain's name, nil for a given file.
    let keychain: String?
    let path: String
    /// The findings, nil if the keychain as a whole can't be opened.
    var found: Verification?
    /// Why it can't be opened.
    var failure: KeychainError?
    /// The file with the quarantined items.
    var quarantine: String?

    /// The text on standard output for users: one line without findings, else the damaged items.
    var text: String {
        guard let found else {
            return ""
        }
        guard found.isSound else {
            return table(found.damaged)
        }
        let unchecked = found.lockedSecrets + found.foreignSecrets
        guard unchecked > 0 else {
            return "\(counted(found.items, "item")), no damage found\n"
        }
        var reasons: [String] = []
        if found.lockedSecrets > 0 {
            reasons.append("the keychain is locked")
        }
        if found.foreignSecrets > 0 {
            let all = found.lockedSecrets == 0
            reasons.append(
                "\(all ? "they stay" : "\(found.foreignSecrets) of them stay") on another machine")
        }
        return
            "\(counted(found.items, "item")), no damage found, but the secrets of \(unchecked) could not be "
            + "checked: \(reasons.joined(separator: ", and "))\n"
    }

    /// The text for users after a quarantine of damaged items.
    var quarantineText: String {
        guard let quarantine, let count = found?.damaged.count else {
            return "the keychain was accepted as it is\n"
        }
        return "\(counted(count, "item")) moved to '\(harmless(quarantine))'\n"
    }

    /// Returns how to allow more checks, nil if none are left.
    func unlockingHint(_ configuration: Configuration) -> String? {
        guard let found, found.lockedSecrets > 0 else {
            return nil
        }
        guard let keychain else {
            return "set LANYARD_PASSPHRASE_FILE to a file with the passphrase"
        }
        return "lanyard unlock\(configuration.option(forKeychain: keychain))"
    }

    /// The problem, nil without findings.
    var error: KeychainError? {
        if let failure {
            return failure
        }
        guard let found, !found.isSound else {
            return nil
        }
        return KeychainError(
            .decode, reasons(found).joined(separator: ", and "),
            hint: keychain == nil
                ? nil : "restore the keychain file from a backup, or see lanyard verify --help")
    }

    private func reasons(_ found: Verification) -> [String] {
        var reasons: [String] = []
        let damaged = found.damaged.count { $0.damage != .putBack }
        if damaged > 0 {
            reasons.append(
                "\(damaged) of \(counted(found.items, "item")) \(damaged == 1 ? "is" : "are") "
                    + "damaged or \(damaged == 1 ? "was" : "were") tampered with")
        }
        switch found.rowSet {
        case .complete, .unknown:
            break
        case .missing(let count):
            reasons.append("\(counted(count, "item")) \(count == 1 ? "is" : "are") missing")
        case .surplus(let count):
            reasons.append(
                "\(counted(count, "item")) \(count == 1 ? "was" : "were") restored from an older copy of "
                    + "the keychain")
        case .exchanged:
            reasons.append("items were swapped or restored from an older copy of the keychain")
        }
        if found.isStructureDamaged {
            reasons.append("the structure of the file is damaged")
        }
        return reasons
    }

    private func table(_ damaged: [Verification.DamagedItem]) -> String {
        guard !damaged.isEmpty else {
            return ""
        }
        var table = Table(["ROW", "GROUP", "NAME", "ACCOUNT", "DAMAGE"])
        for item in damaged {
            table.append([
                String(item.row), (item.attributes?.accessGroup ?? "").description,
                item.attributes.map { $0.name.description } ?? "?",
                (item.attributes?.account ?? "").description, item.damage.text,
            ])
        }
        return table.text(for: .current)
    }
}

extension Verification.DamagedItem.Damage {
    fileprivate var text: String {
        switch self {
        case .row: "the row can't be read"
        case .tooLarge: "too large for an item"
        case .attributes: "the attributes"
        case .secret: "the secret"
        case .putBack: "restored from an older copy"
        }
    }
}
