internal import LanyardPrompting
package import KeychainServices
internal import LinuxSystem

/// The entries of pass, the password store: a folder of files encrypted by gpg.
package struct PassStore: ImportSource {
    private let folder: String
    private let names: [String]
    private let timeLimit: UInt32
    private let decrypter: Decrypter

    /// The program that decrypts an entry.
    private enum Decrypter {
        case pass(String)
        case gpg(String)
    }

    /// Limits the bytes of a decrypted entry: 2 MiB, the limit of a secret.
    private static let limit = Keychain.secretLimit
    /// Limits the depth of nested folders.
    private static let depth = 32
    /// The folder in which docker-credential-pass stores its logins.
    private static let docker = "docker-credential-helpers/"

    /// Lists the entries.
    ///
    /// - Parameters:
    ///   - folder: The store's folder.
    ///   - prefix: The name of an entry, or of a folder in the store; nil for everything.
    ///   - timeLimit: How many seconds decrypting an entry may take, including the user's typing.
    /// - Throws: ``Status/itemNotFound`` without such an entry, ``Status/notAvailable`` without pass and
    ///   gpg, ``Status/io``.
    package init(
        _ folder: String, prefix: String?, timeLimit: UInt32
    ) throws(KeychainError) {
        if let pass = try programPath("pass") {
            decrypter = .pass(pass)
        } else if let gpg = try programPath("gpg") {
            decrypter = .gpg(gpg)
        } else {
            throw KeychainError(.notAvailable, "neither pass nor gpg is on the PATH")
        }
        self.folder = folder
        self.timeLimit = timeLimit
        guard try PrivatePlace.exists(folder) else {
            throw KeychainError(.itemNotFound, "password store '\(folder)' not found")
        }
        var names: [String] = []
        try PassStore.collect(folder, "", PassStore.depth, &names)
        let wanted = prefix.map { $0.trimmingSlashes } ?? ""
        self.names = names.filter {
            wanted.isEmpty || $0 == wanted || $0.hasPrefix("\(wanted)/")
        }.sorted()
        guard prefix == nil || !self.names.isEmpty else {
            throw KeychainError(.itemNotFound, "the password store has no '\(wanted)'")
        }
    }

    /// Collects entries without following links to folders: their targets are in the store itself, or
    /// outside of it.
    private static func collect(
        _ folder: String, _ before: String, _ depth: Int, _ names: inout [String]
    ) throws(KeychainError) {
        let content = try PinnedFolder(folder, .any).names()
        // Git's folder has no entries; pass shows those of other hidden folders.
        for name in content where name != ".git" {
            let path = "\(folder)/\(name)"
            let status: FileStatus
            do throws(SystemCallError) {
                status = try SystemCalls.status(at: path)
            } catch {
                throw error.keychainError("can't access '\(path)'")
            }
            switch status.kind {
            case .folder where depth > 0:
                try collect(path, "\(before)\(name)/", depth - 1, &names)
            case .file where name.hasSuffix(".gpg"), .link where name.hasSuffix(".gpg"):
                names.append("\(before)\(name.dropLast(".gpg".count))")
            default: break
            }
        }
    }

    /// The number of entries.
    package var count: Int { names.count }

    /// Decrypts the entries one by one, and passes each to a closure.
    ///
    /// - Throws: ``Status/notAvailable`` if one is not decrypted in time, what the closure throws.
    package func forEach(_ body: ImportRecord.Body) throws(KeychainError) {
        for name in names {
            let contents =
                name.hasPrefix(PassStore.docker)
                ? [.skipped(reason: "it belongs to docker: lanyard import docker-helper pass")]
                : try decrypt(name)
            for content in contents {
                try body(ImportRecord(place: "'\(name)'", range: nil, content: content))
            }
        }
    }

    /// Names the terminal for gpg, which would otherwise look for it on standard input, which is not
    /// available.
    private static var terminal: [String: String] {
        controllingTerminalPath().map { ["GPG_TTY": $0] } ?? [:]
    }

    private func decrypt(_ name: String) throws(KeychainError) -> [ImportRecord.Content] {
        let program: AskedProgram
        switch decrypter {
        case .pass(let path):
            program = AskedProgram(
                "pass", path: path, ["show", "--", name], timeLimit: timeLimit,
                defaults: PassStore.terminal)
        case .gpg(let path):
            program = AskedProgram(
                "gpg", path: path, ["--quiet", "--decrypt", "--", "\(folder)/\(name).gpg"],
                timeLimit: timeLimit, defaults: PassStore.terminal)
        }
        let answer: AskedProgram.Answer
        do throws(KeychainError) {
            answer = try program.answer(limit: PassStore.limit)
        } catch  where error.status == .dataTooLarge {
            return [.failed(KeychainError(.dataTooLarge, "it is longer than 2 MiB"))]
        }
        guard answer.status == 0 else {
            return [.failed(KeychainError(.authFailed, "\(program.name) can't decrypt it"))]
        }
        return PassEntry(name: ByteString(name)).contents(of: answer.text)
    }
}

extension String {
    /// Without the slashes at both ends.
    fileprivate var trimmingSlashes: String {
        var text = self[...]
        while text.hasPrefix("/") {
            text = text.dropFirst()
        }
        while text.hasSuffix("/") {
            text = text.dropLast()
        }
        return String(text)
    }
}
