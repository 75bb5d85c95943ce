internal import KeychainServices
internal import ToolCatalog

extension SettingsSetup {
    /// Returns the file that names a script for each registry, and the scripts: pnpm 10 and older fail, whatever they do,
    /// if the helper has arguments.
    ///
    /// - Throws: ``Status/param``.
    func pnpmFiles(_ helper: String) throws(KeychainError) -> [SettingsFile] {
        let home = try environment.home()
        var lines: [String] = []
        var scripts: [SettingsFile] = []
        for name in try checkedNames() {
            guard let url = ServerURL(ByteString(name)), url.scheme == "https" else {
                throw KeychainError(
                    .param, "'\(name)' is not a registry's URL with https",
                    hint: "lanyard setup pnpm https://npm.example.com/")
            }
            let address = name.hasSuffix("/") ? name : "\(name)/"
            let place = address.dropFirst("https:".count)
            let host = SettingsSetup.fileName(place.dropFirst(2).dropLast())
            let script = try environment.unsplit(
                "\(home)/.local/bin/pnpm-token-lanyard-\(host)", for: tool,
                hint: "name the helper yourself: man pnpm-token-lanyard")
            let line = "\(place):tokenHelper=\(script)"
            guard !lines.contains(line) else {
                continue
            }
            lines.append(line)
            scripts.append(
                SettingsFile(
                    script: script, "the helper for \(address)",
                    running: "\(helper) \(address.shellWord)"))
        }
        return [
            SettingsFile(
                "\(home)/.npmrc", "pnpm gets the tokens of these registries from lanyard",
                lines: lines)
        ] + scripts
    }

    /// Returns a file's name for an address, which has no control characters: no other address has the same name.
    private static func fileName(_ address: Substring) -> String {
        address.utf8.map { byte in
            let isPlain = byte.isLetterOrDigit || ".-".utf8.contains(byte)
            return isPlain ? String(UnicodeScalar(byte)) : "_\(String(byte, radix: 16))"
        }.joined()
    }
}
