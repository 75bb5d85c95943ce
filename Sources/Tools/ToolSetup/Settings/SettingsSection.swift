internal import KeychainServices
internal import ToolCatalog

extension SettingsSection {
    /// Whether the file is TOML: that has every text in quotation marks, and none of our lines for INI files has one.
    var isTOML: Bool { lines.contains { $0.contains("\"") } }

    /// Whether a text has the lines in the section.
    func isIn(_ text: SettingsText) -> Bool {
        let own = text.lines(of: header, isTOML: isTOML)
        return lines.allSatisfy { line in own.contains(FileBytes(String(line.drop { $0 == " " }))) }
    }

    /// Whether a text has the lines, or sets the same as each with its helper: a user may add to a list, which may have
    /// several lines.
    func isInForce(in text: SettingsText) -> Bool {
        let present = text.lines(of: header, isTOML: isTOML)
        let own = present.filter { $0.first != UInt8(ascii: "#") }
        let keys = own.map(SettingsSection.key)
        return lines.allSatisfy { line in
            if present.contains(FileBytes(String(line.drop { $0 == " " }))) {
                return true
            }
            guard let helper = SettingsSection.helper(line) else {
                return false
            }
            return keys.contains(SettingsSection.key(FileBytes(line)))
                && own.contains { $0.contains(helper.utf8) }
        }
    }

    /// Whether each line sets a list, and a text has such a list of the user's with its helper.
    func isListed(in text: SettingsText) -> Bool {
        lines.allSatisfy { SettingsSection.listedHelper($0) != nil } && isInForce(in: text)
    }

    /// Returns the helper that a line has as the only one of a list, with its quotation marks.
    static func listedHelper(_ line: String) -> FileBytes? {
        line.hasSuffix("\"]") ? helper(line).map { FileBytes("\"\($0)\"") } : nil
    }

    /// Returns the first line of a text that sets the same as one of the lines, but something else.
    func conflict(in text: SettingsText) -> String? {
        let own = lines.map { FileBytes($0) }
        let keys = own.map(spelledKey)
        return text.lines(of: header, isTOML: isTOML).first { other in
            !own.contains(other) && keys.contains(spelledKey(other))
        }?.name
    }

    /// Returns a line's key in one spelling: Python's INI files may have capitals in it, and pip takes `_` for `-`.
    private func spelledKey(_ line: FileBytes) -> FileBytes {
        let key = SettingsSection.key(line)
        guard header != nil, !isTOML else {
            return key
        }
        return FileBytes(
            key.lazy.map { byte in
                switch byte {
                case UInt8(ascii: "_"): UInt8(ascii: "-")
                case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte | 0x20
                default: byte
                }
            })
    }

    /// Returns the first key of a text that sets the section, or something in it, before all sections. TOML refuses that
    /// next to a header.
    func keyOutside(in text: SettingsText) -> String? {
        guard let name = header?.dropFirst().dropLast() else {
            return nil
        }
        return text.lines(of: nil, isTOML: isTOML).lazy.map { SettingsSection.key($0).name }.first {
            key in
            key == name || key.hasPrefix("\(name).")
        }
    }

    /// Returns the name of what a line sets: the text before its first equals sign or quotation mark, else its first
    /// word. A block of HCL has its name in quotation marks.
    static func key(_ line: FileBytes) -> FileBytes {
        let end =
            line.firstIndex { $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: "\"") }
            ?? line.firstIndex(where: \.isWhitespace) ?? line.endIndex
        let key = FileBytes(line[..<end].lazy.filter { !$0.isWhitespace })
        // Python's files may have a colon there.
        return key.last == UInt8(ascii: ":") ? key.dropLast() : key
    }

    /// Returns the first absolute path in a line that has our name in it.
    static func helper(_ line: String) -> String? {
        line.split { " \"=@;,".contains($0) }.map { String($0) }
            .first { $0.hasPrefix("/") && !$0.hasPrefix("//") && $0.contains("lanyard") }
    }
}
