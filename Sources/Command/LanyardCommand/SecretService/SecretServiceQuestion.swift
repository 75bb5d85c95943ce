internal import LanyardConfiguration
internal import Glibc
internal import Keychains
internal import KeychainServices
internal import LinuxSystem
internal import LanyardPrompting
internal import SealedStore
internal import StrictJSON

/// A question of `lanyard-secret-service`: what a program wants to do with a keychain.
struct SecretServiceQuestion {
    private enum Action: String {
        case unlock, create, delete
    }

    private let action: Action
    private let keychain: String
    private let program: String

    private static let limit = 4_096
    /// How long a question may take to arrive, in milliseconds.
    private static let timeLimit: Int64 = 2_000

    /// Reads the line on standard input.
    ///
    /// - Throws: ``Status/decode``, ``Status/io`` if it does not arrive in time.
    static func read() throws(KeychainError) -> SecretServiceQuestion {
        let line: [UInt8]
        do throws(SystemCallError) {
            line = try readLine(0, limit: limit, until: Deadline(milliseconds: timeLimit))
        } catch {
            throw error.keychainError("the question can't be read")
        }
        return try SecretServiceQuestion(parsing: line)
    }

    private init(parsing line: [UInt8]) throws(KeychainError) {
        var version: Int64?
        var ask: ByteString?
        var keychain: ByteString?
        var program: ByteString?
        try JSONReader.readObject(line.span, limit: SecretServiceQuestion.limit) {
            name, reader throws(KeychainError) in
            switch name {
            case "version": version = try reader.readInteger()
            case "ask": ask = try reader.readText()
            case "keychain": keychain = try reader.readText()
            case "program": program = try reader.readText()
            default: break
            }
        }
        guard version == 1, let keychain,
            let action = ask.flatMap({ Action(rawValue: $0.description) })
        else {
            throw KeychainError(.decode, "the Secret Service asks something unknown")
        }
        self.action = action
        self.keychain = keychain.description
        self.program = program.map { harmless($0.description) } ?? "a program"
    }

    /// Asks the user, and does it.
    ///
    /// - Throws: ``Status/userCanceled``; what the keychain throws.
    func ask() throws(KeychainError) {
        let configuration = try Configuration()
        // It also checks the name, which is shown.
        _ = try configuration.location(ofKeychain: keychain)
        printNote("\(program) asks to \(action.rawValue) the keychain '\(keychain)'")
        switch action {
        case .unlock: try unlock(configuration)
        case .create:
            try askForConsent("create the keychain '\(keychain)'?", hint: hint)
            var keychains = UserKeychains(configuration)
            try keychains.create(keychain)
            printNeverLocked(keychain)
        case .delete:
            if let question = try DeleteKeychainCommand.question(of: keychain, configuration) {
                try askForConsent(question, hint: hint)
            }
            var keychains = UserKeychains(configuration)
            try keychains.delete(keychain)
        }
    }

    private var hint: String { "run lanyard secret-service agent in the foreground of a terminal" }

    private func unlock(_ configuration: Configuration) throws(KeychainError) {
        guard let store = try configuration.openSealedKeychain(keychain) else {
            return
        }
        // Another program may have asked for the same before.
        if case .unlocked = try store.lockState(), try store.isUnlockedCompletely() {
            return
        }
        guard try store.lockState() != .noPassphrase else {
            return
        }
        // The service is another process.
        if let refusal = SealedStore.keyringRefusal() {
            throw KeychainError(
                .notAvailable, "unlocking lasts for one program only: \(refusal.reason)",
                hint: KeychainUnlocker.passphraseFileHint)
        }
        let timeout = try configuration.autolock(ofKeychain: keychain).limit
        try store.unlock(timeout: timeout)
        printUnlocked(keychain, timeout: timeout)
    }
}

/// Reads a line with its end: less at the end of the file, or of a line beyond the limit.
func readLine(
    _ file: CInt, limit: Int, until deadline: Deadline
) throws(SystemCallError) -> [UInt8] {
    var line: [UInt8] = []
    while line.last != UInt8(ascii: "\n"), line.count <= limit {
        guard try SystemCalls.wait(for: file, .readable, until: deadline) else {
            throw SystemCallError(call: "read", code: ETIMEDOUT)
        }
        let chunk = try SystemCalls.readSecret(file, limit)
        guard chunk.count > 0 else {
            break
        }
        chunk.withBytes { line += ByteString(copying: $0).bytes }
    }
    return line
}
