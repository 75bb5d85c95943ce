internal import KeychainServices
internal import LinuxSystem
internal import StrictJSON

/// Requests to a plugin and its answers, strictly one after the other.
struct PluginConversation {
    /// The members that every request has.
    struct Terms {
        let isPromptAllowed: Bool
        let milliseconds: Int64
    }

    /// An answer that the protocol allows.
    enum Answer<Result> {
        case result(Result)
        case error(KeychainError)
    }

    private let connection: PluginConnection
    private var lastID: Int64 = 0

    init(_ connection: PluginConnection) {
        self.connection = connection
    }

    /// Returns the number for the next request.
    mutating func nextID() -> Int64 {
        lastID += 1
        return lastID
    }

    /// Sends a request to a plugin and reads its answer.
    ///
    /// - Parameters:
    ///   - id: The request's number.
    ///   - text: The request.
    ///   - result: Reads the member `result`.
    func ask<Result>(
        _ terms: Terms, _ id: Int64, _ text: borrowing Secret,
        result: (inout JSONReader) throws(KeychainError) -> Result
    ) throws(PluginFailure) -> Answer<Result> {
        var time = Time(terms)
        try connection.write(text, within: time.limit)
        while true {
            let line = try connection.readLine(within: time.limit)
            if let answer = try PluginConversation.parse(line, id, &time, result) {
                return answer
            }
        }
    }

    /// - Returns: Nil if it only reports that the user is being asked.
    private static func parse<Result>(
        _ line: borrowing Secret, _ id: Int64, _ time: inout Time,
        _ readResult: (inout JSONReader) throws(KeychainError) -> Result
    ) throws(PluginFailure) -> Answer<Result>? {
        let answer: PluginAnswer<Result>
        do throws(KeychainError) {
            answer = try line.withBytes { text throws(KeychainError) in
                try PluginAnswer(text, readResult)
            }
        } catch {
            throw .nonsense(error.reason)
        }
        guard answer.id == id else {
            throw .nonsense("the answer's id differs from the request's")
        }
        switch (answer.result, answer.error, answer.isPrompting) {
        case (let result?, nil, false): return .result(result)
        case (nil, let error?, false): return .error(error)
        case (nil, nil, true):
            try time.promptBegins()
            return nil
        default:
            throw .nonsense("an answer must have either 'result' or 'error'")
        }
    }

    /// The time that an answer may take.
    private struct Time {
        private let terms: Terms
        private(set) var limit: PluginConnection.Limit
        private var isPrompting = false

        init(_ terms: Terms) {
            self.terms = terms
            limit = PluginConnection.Limit(
                Deadline(milliseconds: terms.milliseconds),
                .silent(milliseconds: terms.milliseconds))
        }

        mutating func promptBegins() throws(PluginFailure) {
            guard terms.isPromptAllowed else {
                throw .nonsense("this request must not prompt")
            }
            // Otherwise it could go on forever.
            guard !isPrompting else {
                throw .nonsense("it announced two prompts")
            }
            isPrompting = true
            limit = PluginConnection.Limit(
                Deadline(milliseconds: PluginProtocol.promptTime), .silentAfterPrompt)
        }
    }
}
