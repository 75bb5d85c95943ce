public import KeychainServices
internal import LinuxSystem
internal import StrictJSON

/// A keychain that a plugin keeps: a program of its own that is asked for everything, and can neither
/// keep the caller waiting nor bring it down. The protocol is described in lanyard-plugin(7).
///
/// The plugin is started when it is first asked something. If it dies, does not answer in time or
/// breaks the protocol, it is ended at once, within a second after its time; the call throws
/// ``Status/notAvailable``, and so does each later one: it is not started again. Whether a change that
/// was not answered has happened is not known then, but one inside a transaction has not.
///
/// A plugin that is in order ends when the process does, since its input ends. A broken one is never
/// left, so that a process may end without `deinit`.
public final class PluginStore: KeychainStore {
    private let start: () throws(KeychainError) -> PluginProcess
    private let keychain: String
    private let settings: [(name: String, value: String)]
    private let timeLimit: Int64
    private let isPromptAllowed: Bool
    /// Which plugin it is, for a person.
    private let words: String

    private var conversation: PluginConversation?
    private var failure: KeychainError?
    /// Whether the plugin itself failed, and not what it keeps the items in.
    public var isBroken: Bool { failure != nil }
    /// Whether the plugin has transactions; known once it has been opened.
    private(set) var hasTransactions = false
    /// Whether the plugin keeps the dates of an item that comes from elsewhere; known once it has been
    /// opened.
    private(set) var keepsDates = false
    /// Walks that nobody goes on with, of which the plugin was not told yet.
    var unendedWalks: [Int64] = []

    /// A keychain that a plugin keeps, not yet started.
    ///
    /// - Parameters:
    ///   - executable: The plugin's path, whose owner and mode are checked when it is started.
    ///   - keychain: The keychain's name, told to the plugin.
    ///   - settings: What is configured for the keychain, told to the plugin; of two with the same
    ///     name the last one.
    ///   - timeLimit: How many milliseconds an answer may take.
    ///   - isPromptAllowed: Whether the plugin may ask a person; from then on two minutes are allowed
    ///     for the answer.
    public convenience init(
        executable: String, keychain: String, settings: [(name: String, value: String)],
        timeLimit: Int64, isPromptAllowed: Bool
    ) {
        let words = "the plugin '\(kind(of: executable))' of the keychain '\(keychain)'"
        self.init(
            words: words, keychain: keychain, settings: settings, timeLimit: timeLimit,
            isPromptAllowed: isPromptAllowed
        ) { () throws(KeychainError) in
            let path = try PluginExecutable.check(executable)
            do throws(SystemCallError) {
                return try PluginProcess(path)
            } catch {
                throw PluginFailure.notStarted(error).error(words)
            }
        }
    }

    init(
        words: String, keychain: String, settings: [(name: String, value: String)],
        timeLimit: Int64, isPromptAllowed: Bool,
        start: @escaping () throws(KeychainError) -> PluginProcess
    ) {
        self.words = words
        self.keychain = keychain
        self.settings = settings
        self.timeLimit = timeLimit
        self.isPromptAllowed = isPromptAllowed
        self.start = start
    }

    /// Starts the plugin, if it does not run, and agrees with it on the protocol's version.
    ///
    /// - Parameter timeLimit: How many milliseconds that may take, if not as long as every answer.
    /// - Throws: ``Status/notAvailable`` if there is no such plugin or it does not answer as it has
    ///   to, ``Status/writePermissions`` if others can write it, what it answers.
    public func open(timeLimit: Int64? = nil) throws(KeychainError) {
        if let failure {
            throw failure
        }
        guard conversation == nil else {
            return
        }
        do throws(KeychainError) {
            conversation = PluginConversation(try start())
        } catch {
            failure = error
            throw error
        }
        do throws(KeychainError) {
            let greeting = try greet(timeLimit)
            hasTransactions = greeting.hasTransactions
            keepsDates = greeting.keepsDates
        } catch {
            throw breakDown(failure == nil ? .refused(error) : nil)
        }
    }

    /// - Returns: What the plugin says of itself.
    private func greet(_ timeLimit: Int64?) throws(KeychainError) -> PluginGreeting {
        let answer: PluginGreeting
        do throws(KeychainError) {
            answer = try ask(.hello, timeLimit: timeLimit) { writer throws(KeychainError) in
                try writer.members(hello: keychain, settings)
            } result: { reader throws(KeychainError) in
                try reader.readHello()
            }
        } catch {
            guard failure == nil, error.status == .wrongVersion else {
                throw error
            }
            throw breakDown(.otherVersion)
        }
        guard answer.version == PluginProtocol.version else {
            throw breakDown(.otherVersion)
        }
        return answer
    }

    /// Ends the plugin, if it runs. The next call starts it again.
    public func close() {
        conversation = nil
        unendedWalks = []
    }

    /// Asks the plugin, which is started if it does not run.
    func request<Result>(
        _ method: PluginMethod, timeLimit: Int64? = nil,
        _ parameters: (inout JSONWriter) throws(KeychainError) -> Void = { _ in },
        result: (inout JSONReader) throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        try open(timeLimit: timeLimit)
        endWalks()
        // That may have been the end of it.
        if let failure {
            throw failure
        }
        return try ask(method, timeLimit: timeLimit, parameters, result: result)
    }

    /// Asks the plugin something whose answer says no more than that it is done.
    func request(
        _ method: PluginMethod,
        _ parameters: (inout JSONWriter) throws(KeychainError) -> Void = { _ in }
    ) throws(KeychainError) {
        try request(method, parameters) { reader throws(KeychainError) in
            try reader.readObject { _, _ in }
        }
    }

    private func ask<Result>(
        _ method: PluginMethod, timeLimit: Int64?,
        _ parameters: (inout JSONWriter) throws(KeychainError) -> Void,
        result: (inout JSONReader) throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        let terms = PluginConversation.Terms(
            isPromptAllowed: isPromptAllowed && method.mayPrompt,
            milliseconds: max(timeLimit ?? self.timeLimit, 1))
        let id = conversation!.nextID()
        let text = try JSONWriter.write { writer throws(KeychainError) in
            try writer.writeRequest(id, method, terms, parameters)
        }
        guard text.count <= LineChannel.lineLimit else {
            throw KeychainError(.dataTooLarge)
        }
        let answer: PluginConversation.Answer<Result>
        do throws(PluginFailure) {
            answer = try conversation!.ask(terms, id, text, result: result)
        } catch {
            throw breakDown(error)
        }
        switch answer {
        case .result(let result): return result
        case .error(let error): throw error
        }
    }

    /// Ends the plugin for good.
    ///
    /// - Parameter failure: Why; nil if that is known already.
    /// - Returns: What this call and each later one throws.
    @discardableResult
    func breakDown(_ failure: PluginFailure?) -> KeychainError {
        conversation = nil
        unendedWalks = []
        let error = self.failure ?? failure?.error(words) ?? KeychainError(.notAvailable)
        self.failure = error
        return error
    }
}

/// The kind of keychain that a plugin is for, by its executable's name.
private func kind(of executable: String) -> String {
    let start = executable.utf8.lastIndex(of: UInt8(ascii: "/")).map { executable.index(after: $0) }
    let name = String(executable[(start ?? executable.startIndex)...])
    let prefix = PluginExecutable.name(kind: "")
    return name.hasPrefix(prefix) ? String(name.dropFirst(prefix.count)) : name
}
