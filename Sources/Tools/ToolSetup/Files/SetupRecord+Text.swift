internal import KeychainServices
internal import ToolCatalog

// A record's text: a line `lanyard setup 1`, for each file the lines `file`, `before`, `after`, `folder`
// and `put`, and `end`. Insertions are in hexadecimal digits. `~` is the home folder with the record:
// both may move.
extension SetupRecord {
    /// Returns the record's text.
    ///
    /// - Parameter home: The result of ``SetupEnvironment/homeOfRecords``.
    func text(home: String?) -> String {
        func short(_ path: String) -> String {
            guard let home, path.hasPrefix("\(home)/") else {
                return path
            }
            return "~\(path.dropFirst(home.count))"
        }
        var lines = ["lanyard setup 1"]
        for entry in entries {
            lines.append("file \(short(entry.path))")
            lines.append("before \(entry.before ?? "none")")
            lines.append("after \(entry.after)")
            lines += entry.folders.map { "folder \(short($0))" }
            lines.append("put \(entry.insertion.text)")
        }
        lines.append("end")
        return lines.joined(separator: "\n") + "\n"
    }

    /// Parses a record's text, nil if it is invalid.
    ///
    /// - Parameter home: The result of ``SetupEnvironment/homeOfRecords``.
    init?(text: String, home: String?) {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)[...]
        guard lines.popFirst() == "lanyard setup 1", lines.popLast() == "",
            lines.popLast() == "end"
        else {
            return nil
        }
        func take(_ key: String) -> String? {
            guard let line = lines.first, line.hasPrefix("\(key) ") else {
                return nil
            }
            lines.removeFirst()
            return String(line.dropFirst(key.count + 1))
        }
        func takePath(_ key: String) -> String? {
            take(key).flatMap { path in
                path.hasPrefix("~/") ? home.map { "\($0)\(path.dropFirst())" } : path
            }
        }
        entries = []
        while !lines.isEmpty {
            guard let path = takePath("file"), let before = take("before"),
                let after = take("after")
            else {
                return nil
            }
            var folders: [String] = []
            while let folder = takePath("folder") {
                folders.append(folder)
            }
            guard let put = take("put"), let insertion = Insertion(text: put) else {
                return nil
            }
            entries.append(
                Entry(
                    path: path, before: before == "none" ? nil : before, after: after,
                    insertion: insertion, folders: folders))
        }
    }
}

extension Insertion {
    fileprivate var text: String {
        switch self {
        case .gitBlock(let block): "git-config \(Hexadecimal.encode(block))"
        case .credsStore(nil): "creds-store"
        case .credsStore(let replaced?): "creds-store \(Hexadecimal.encode(replaced))"
        case .registriesDropIn: "registries"
        case .serviceFile: "service"
        case .link: "link"
        case .settings(let sections): "settings \(Hexadecimal.encode(Insertion.bytes(sections)))"
        case .kubeconfig(let users):
            "kubeconfig \(Hexadecimal.encode(Array(users.joined(separator: "\n").utf8)))"
        case .wholeFile(let sections): "whole-file \(Hexadecimal.encode(Insertion.bytes(sections)))"
        case .shim: "shim"
        }
    }

    /// Returns sections as lines: `section` and the header, then `line` and a line.
    private static func bytes(_ sections: [SettingsSection]) -> [UInt8] {
        let lines = sections.flatMap { section in
            ["section \(section.header ?? "")"] + section.lines.map { "line \($0)" }
        }
        return Array(lines.joined(separator: "\n").utf8)
    }

    private static func sections(_ bytes: [UInt8]) -> [SettingsSection]? {
        var sections: [SettingsSection] = []
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
            if line.hasPrefix("section ") {
                let header = String(line.dropFirst("section ".count))
                sections.append(SettingsSection(header: header.isEmpty ? nil : header, lines: []))
            } else if line.hasPrefix("line "), let section = sections.popLast() {
                let added = String(line.dropFirst("line ".count))
                sections.append(
                    SettingsSection(header: section.header, lines: section.lines + [added]))
            } else {
                return nil
            }
        }
        return sections
    }

    fileprivate init?(text: String) {
        let words = text.split(separator: " ", maxSplits: 1)
        let bytes = words.count == 2 ? Hexadecimal.decode(words[1].utf8) : nil
        switch (words.first, bytes) {
        case ("git-config", let block?): self = .gitBlock(block)
        case ("creds-store", let replaced): self = .credsStore(replaced: replaced)
        case ("registries", nil): self = .registriesDropIn
        case ("service", nil): self = .serviceFile
        case ("link", nil): self = .link
        case ("settings", let bytes?), ("whole-file", let bytes?):
            guard let sections = Insertion.sections(bytes) else {
                return nil
            }
            self = words[0] == "settings" ? .settings(sections) : .wholeFile(sections)
        case ("kubeconfig", let bytes?):
            let users = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
            self = .kubeconfig(users: users.map { String($0) })
        case ("shim", nil): self = .shim
        default: return nil
        }
    }
}
