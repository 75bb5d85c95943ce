internal import ArgumentParser
internal import HelperKit
internal import Keychain
internal import StrictJSON

/// `lanyard status`: tells which keychain is in use, and what it protects against.
struct StatusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show the keychain in use and what protects it.")

    @OptionGroup var json: JSONFlag
    @OptionGroup var keychain: KeychainOption

    func run() throws {
        let status = try KeychainStatus(named: keychain.name)
        guard json.isOn else {
            try writeAnswer(Secret(text(status)))
            return
        }
        try writeAnswer(
            JSONWriter.write(invalidText: .replace) { writer throws(KeychainError) in
                try writer.writeArray { writer throws(KeychainError) in
                    try writer.write(status)
                }
            })
    }

    private func text(_ status: KeychainStatus) -> String {
        var lines = [
            "keychain: \(status.name) (sealed file)",
            "file: \(status.path)",
        ]
        guard let items = status.items else {
            lines.append("state: not there yet; it is made when the first login is stored")
            return lines.map { harmless($0) + "\n" }.joined()
        }
        lines += [
            "items: \(items)",
            "state: no passphrase, always unlocked",
            "protects against: a leaked copy of the folder '\(status.dataFolder)' alone",
            "does not protect against: somebody who has the folder '\(status.stateFolder)' too, as in "
                + "a backup of the whole home or disk; a process of your user",
        ]
        return lines.map { harmless($0) + "\n" }.joined()
    }
}

extension JSONWriter {
    /// Writes a keychain's status as an object. Part of the stable output: see lanyard(1), "JSON".
    mutating func write(_ status: KeychainStatus) throws(KeychainError) {
        try writeObject { writer throws(KeychainError) in
            try writer.member("name", ByteString(status.name))
            try writer.member("kind", "sealed")
            try writer.member("path", ByteString(status.path))
            try writer.member("state", status.items == nil ? "absent" : "no-passphrase")
            try writer.member("locks_in") { writer throws(KeychainError) in try writer.writeNull() }
            try writer.member("items") { writer throws(KeychainError) in
                try writer.write(Int64(status.items ?? 0))
            }
            try writer.member("outlasts_reboot") { writer throws(KeychainError) in
                try writer.write(true)
            }
        }
    }
}
