internal import KeychainServices
internal import LinuxSystem

/// Sets a program up by a shim in `~/.local/bin`: a script of the same name, which starts `lanyard run` with
/// the program's own path.
struct ShimSetup {
    let environment: SetupEnvironment
    let program: String
    /// The account whose secret the program gets, nil for any.
    var account: String?

    /// The line by which a shim is known.
    private static let mark = "# Made by lanyard setup: lanyard setup --undo removes it."

    /// Returns the folder of all shims.
    func folder() throws(KeychainError) -> String { "\(try environment.home())/.local/bin" }

    /// Adds the shim, if needed.
    ///
    /// - Throws: ``Status/notAvailable`` if the program is missing, ``Status/duplicateItem`` if another file
    ///   has the shim's name.
    func propose(_ proposal: inout Proposal) throws(KeychainError) {
        let folder = try folder()
        let path = "\(folder)/\(program)"
        let file = try TargetFile(path)
        guard file.bytes.map(ShimSetup.isShim) ?? true else {
            throw KeychainError(
                .duplicateItem, "'\(path)' already exists",
                hint: "without a shim: alias \(program)='lanyard run \(program)'")
        }
        guard let lanyard = environment.path(ofNeighbour: "lanyard") else {
            throw KeychainError(.notAvailable, "the program lanyard is missing")
        }
        let folders = (environment.value("PATH") ?? "").split(separator: ":").map(String.init)
        guard let place = folders.firstIndex(where: { isProgram($0, shims: folder) }) else {
            throw KeychainError(
                .notAvailable, "\(program) is not on the PATH", hint: "install it first")
        }
        addNote(&proposal, folders, program: place, shims: folder)
        let lines = [
            "#!/bin/sh", ShimSetup.mark,
            "exec \(lanyard.shellQuoted) run"
                + (account.map { " \($0.asValue(of: "--account"))" } ?? "")
                + " \("\(folders[place])/\(program)".shellQuoted) \"$@\"",
        ]
        let bytes = FileBytes(lines.joined(separator: "\n") + "\n")
        guard file.bytes != bytes else {
            return
        }
        // An earlier shim is replaced, and never restored.
        try proposal.change(
            file, base: nil, to: bytes, .shim,
            summary: ["\(program) gets its secrets from lanyard"], lines: lines.map { "+\($0)" },
            .program)
    }

    /// Whether a folder has the program itself: not our shim.
    private func isProgram(_ folder: String, shims: String) -> Bool {
        let path = "\(folder)/\(program)"
        // A copy of a shim elsewhere would start itself again.
        return folder.hasPrefix("/") && !ShimSetup.areSame(folder, shims)
            && SystemCalls.isExecutable(path) && !ShimSetup.isShim(at: path)
    }

    static func isShim(_ bytes: FileBytes) -> Bool {
        bytes.starts(with: "#!/bin/sh\n\(mark)\n".utf8)
    }

    /// Returns the path of lanyard in a shim and the account, nil for another file.
    static func command(in bytes: FileBytes?) -> (lanyard: String, account: String?)? {
        guard let bytes, isShim(bytes),
            let line = bytes.split(separator: UInt8(ascii: "\n")).last
        else {
            return nil
        }
        let words = ShellWords.split(line, atMost: 5)
        guard words.count > 3, words[0] == "exec" else {
            return nil
        }
        let option = "--account"
        let account =
            words[3] == option
            ? words.last
            : words[3].hasPrefix("\(option)=") ? String(words[3].dropFirst(option.count + 1)) : nil
        return (words[1], account)
    }

    /// Whether a program is a shim, by its start: many programs are large.
    static func isShim(at path: String) -> Bool {
        guard let real = SystemCalls.realPath(path),
            let number = try? SystemCalls.openForReading(real)
        else {
            return false
        }
        let file = Descriptor(owning: number)
        guard let start = try? SystemCalls.readSecret(file.number, 256) else {
            return false
        }
        return isShim(FileBytes(start))
    }

    /// Whether two paths name one folder, which may not exist yet.
    private static func areSame(_ one: String, _ other: String) -> Bool {
        one == other || PrivatePlace.areSame(one, other)
    }

    /// Warns if the shell finds the program before the shim.
    private func addNote(
        _ proposal: inout Proposal, _ folders: [String], program place: Int, shims: String
    ) {
        let own = folders.firstIndex { ShimSetup.areSame($0, shims) }
        if own.map({ $0 > place }) ?? true {
            proposal.notes.append(
                "put '\(shims)' before '\(folders[place])' in PATH: shells find"
                    + " \(program) there first")
        }
    }
}
