public import KeychainServices
internal import LinuxSystem
internal import StrictJSON

/// A plugin's keychain: a separate program does all the work, and can neither delay nor crash the
/// caller. The man page lanyard-plugin(7) describes the protocol.
///
/// The first request starts the plugin. If it dies, is too slow or violates the protocol, it is
/// killed at once, within a second after its time. The call and each later one then throw
/// ``Status/notAvailable``, and the plugin does not start again. An unanswered change may have
/// happened, except inside a transaction.
///
/// A working plugin ends with the process, because its input ends. A broken one is killed
/// immediately; a process may therefore end without `deinit`.
public final class PluginStore: KeychainStore {
    private let start: () throws(KeychainError) -> PluginConnection
    private let keychain: String
    private let settings: [(name: String, value: String)]
    private let timeLimit: Int64
    private let isPromptAllowed: Bool
    /// The plugin's description for users.
    private let words: String

    private var conversation: PluginConversation?
    private var failure: KeychainError?
    /// Whether the plugin itself failed, rather than the place where it stores the items.
    public var isBroken: Bool { failure != nil }
    /// Whether the plugin has transactions; known once it is open.
    private(set) var hasTransactions = false
    /// Whether the plugin stores the dates that an item brings along; known once it is open.
    private(set) var keepsDates = false
    /// Whether the plugin applies the access groups of a query; known once it is open.
    private(set) var knowsAccessGroups = false
    /// Whether the plugin knows the other optional members of a query; known once it is open.
    private(set) var knowsQueryOptions = false
    /// Ended walks of which the plugin does not know yet.
    var unendedWalks: [Int64] = []

    /// Creates a store without starting the plugin.
    ///
    /// - Parameters:
    ///   - executable: The plugin's path; its owner and mode are checked at its start.
    ///   - keychain: The keychain's name, for the plugin.
    ///   - settings: The keychain's configuration, for the plugin; the last one of a name counts.
    ///   - timeLimit: The milliseconds that an answer may take.
    ///   - isPromptAllowed: Whether the plugin may ask the user; the answer may then take two
    ///     minutes.
    public convenience init(
        executable: String, keychain: String, settings: [(name: String, value: String)],
        timeLimit: Int64, isPromptAllowed: Bool
    ) {
        let words = "the plugin '\(kind(of: executable))' of the keychain '\(keychain)'"
        self.init(
            words: words, keychain: keychain, settings: settings, timeLimit: timeLimit,
            isPromptAllowed: isPromptAllowed
        ) { () throws(KeychainError) in
            try PluginConnection(starting: executable, words, PluginExecutable.words)
        }
    }

    init(
        words: String, keychain: String, settings: [(name: String, value: String)],
        timeLimit: Int64, isPromptAllowed: Bool,
        start: @escaping () throws(KeychainError) -> PluginConnection
    ) {
        self.words = words
        self.keychain = keychain
        self.settings = settings
        self.timeLimit = timeLimit
        self.isPromptAllowed = isPromptAllowed
        self.start = start
    }

    /// Starts the plugin, unless it is running, and agrees on the protocol's version.
    ///
    /// - Parameter timeLimit: The milliseconds that may take, if different from other answers.
    /// - Throws: ``Status/notAvailable`` if the plugin is missing or gives an invalid answer,
    ///   ``Status/writePermissions`` if other users can write it, the error that it answers.
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
            knowsAccessGroups = greeting.knowsAccessGroups
            knowsQueryOptions = greeting.knowsQueryOptions
        } catch {
            throw breakDown(failure == nil ? .refused(error) : nil)
        }
    }

    /// - Returns: The plugin's description of itself.
    private func greet(_ timeLimit: Int64?) throws(KeychainError) -> PluginGreeting {
        let answer: PluginGreeting
        do throws(KeychainError) {
            answer = try ask(.hello, timeLimit: timeLimit) { writer throws(KeychainError) in
                try writer.members(hello: keychain, settings)
            } result: { reader throws(KeychainError) in
                try reader.readHello()
            }
        } catch  where failure == nil && error.status == .wrongVersion {
            throw breakDown(.otherVersion)
        }
        guard answer.version == PluginProtocol.version else {
            throw breakDown(.otherVersion)
        }
        return answer
    }

    /// Ends the plugin, if it is running. The next call starts it again.
    public func close() {
        conversation = nil
        unendedWalks = []
    }

    /// Sends a request to the plugin, and starts it if necessary.
    ///
    /// - Parameter mayAsk: Whether the caller lets the plugin ask the user.
    func request<Result>(
        _ method: PluginMethod, timeLimit: Int64? = nil, mayAsk: Bool = true,
        _ parameters: (inout JSONWriter) throws(KeychainError) -> Void = { _ in },
        result: (inout JSONReader) throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        try open(timeLimit: timeLimit)
        endWalks()
        // The plugin may have ended with that.
        if let failure {
            throw failure
        }
        return try ask(
            method, timeLimit: timeLimit, mayAsk: mayAsk, parameters, result: result)
    }

    /// Sends a request whose answer only confirms it.
    func request(
        _ method: PluginMethod,
        _ parameters: (inout JSONWriter) throws(KeychainError) -> Void = { _ in }
    ) throws(KeychainError) {
        try request(method, parameters) { reader throws(KeychainError) in
            try reader.readObject { _, _ in }
        }
    }

    private func ask<Result>(
        _ method: PluginMethod, timeLimit: Int64?, mayAsk: Bool = true,
        _ parameters: (inout JSONWriter) throws(KeychainError) -> Void,
        result: (inout JSONReader) throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        let terms = PluginConversation.Terms(
            isPromptAllowed: isPromptAllowed && mayAsk && method.mayPrompt
                && Keychain.isUserInteractionAllowed,
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
    /// - Parameter failure: The reason; nil if it is known already.
    /// - Returns: The error that this call and each later one throws.
    @discardableResult
    func breakDown(_ failure: PluginFailure?) -> KeychainError {
        conversation = nil
        unendedWalks = []
        let error = self.failure ?? failure?.error(words) ?? KeychainError(.notAvailable)
        self.failure = error
        return error
    }
}

/// Returns the kind of keychain from the name of a plugin's executable.
private func kind(of executable: String) -> String {
    let start = executable.utf8.lastIndex(of: UInt8(ascii: "/")).map { executable.index(after: $0) }
    let name = String(executable[(start ?? executable.startIndex)...])
    let prefix = PluginExecutable.name(kind: "")
    return name.hasPrefix(prefix) ? String(name.dropFirst(prefix.count)) : name
}
