internal import LanyardTransfer
internal import KeychainServices
internal import LinuxSystem
internal import PlainTextScan
internal import ToolCatalog
internal import ToolSetup

/// A plain-text file of a profile's program, with secrets that can be imported.
struct ProfileLeftover {
    let profile: ToolProfile
    /// The file's path.
    let path: String
    /// How many accounts have a secret in the profile's files.
    private let accounts: Int

    /// Returns those at or below the paths. Unreadable ones don't count, and neither do those in netrc's format,
    /// which other programs read, and those of tools with a helper: ``ToolLeftover``.
    static func all(
        _ environment: SetupEnvironment, at paths: [String]
    ) throws(KeychainError) -> [ProfileLeftover] {
        var found: [ProfileLeftover] = []
        for profile in ToolProfile.all where !ImportedTool.isOfHelper(profile.name) {
            found += try all(of: profile, profile.ownPlainText, environment).filter { file in
                !found.contains { $0.path == file.path }
                    && KnownFile(profile.name, file.path, .urls).isThere(home: "", at: paths)
            }
        }
        return found
    }

    /// Returns those of a profile among these of its files.
    static func all(
        of profile: ToolProfile, _ files: [SecretFile],
        _ environment: SetupEnvironment
    ) throws(KeychainError) -> [ProfileLeftover] {
        var found: [String] = []
        // The program may read several files, and gets the secret of one account from the keychain.
        var all = ProfileFile.Accounts()
        for file in files {
            let places = profile.places(of: file.path, environment.value) + [file.path]
            for path in try environment.files(at: places) {
                guard let text = try? PlainTextFile(path, isForChange: false),
                    let accounts = try? ProfileFile(profile, file).accounts(in: text.bytes),
                    accounts.count > 0
                else {
                    continue
                }
                found.append(path)
                all.formUnion(accounts)
            }
        }
        return found.map { ProfileLeftover(profile: profile, path: $0, accounts: all.count) }
    }

    /// Why a program would no longer find its secret without the file, and the command to run first; nil if it
    /// gets the secret from the keychain.
    func obstacle(_ environment: SetupEnvironment) -> (text: String, hint: String)? {
        let name = profile.name
        let importCommand =
            "lanyard import \(name) --remove-plain-text \(path.shellQuoted)"
        guard accounts == 1 else {
            // Without the file, programs that use several accounts at once, such as mvn, would get only one.
            let copy = "lanyard import \(name) \(path.shellQuoted)"
            let program = profile.programs.first ?? "PROGRAM"
            return (
                "there are secrets of \(accounts) accounts, and \(name) gets one from the keychain",
                "\(copy), then lanyard run --account \(profile.accountWord) \(program)"
            )
        }
        let installed = profile.programs.filter { environment.finds($0) }
        guard !installed.isEmpty else {
            return ("no program of \(name) is on the PATH", importCommand)
        }
        guard let other = installed.first(where: { !ToolSetup.startsShim($0, environment) }) else {
            return nil
        }
        if let folder = ToolSetup.folderOfShim(other, environment) {
            return (
                "shells start \(other) without lanyard",
                "put \(folder.shellQuoted) first in PATH, then lanyard scan --fix"
            )
        }
        let programs = ToolSetup.withoutShim(installed, environment).joined(separator: " ")
        return ("\(other) still uses it", "lanyard setup \(programs), then lanyard scan --fix")
    }
}
