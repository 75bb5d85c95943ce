import Testing
@testable import EndToEndRig

/// What was given to a helper, and what it answered, to the letter.
struct Transcript: Sendable, CustomTestStringConvertible {
    var program = "git-credential-lanyard"
    let rule: String
    /// Requests that are stored before.
    var stored: [String] = []
    /// As users would type them, without the program.
    var arguments: [String]
    var variables: [String: String?] = [:]
    var input = ""
    /// `HOME` in what is expected means LANYARD_HOME.
    var output = ""
    var error = ""
    var status: Int32 = 0
    /// Whether the operation may leave anything behind.
    var writes = false

    init(
        _ rule: String, stored: [String] = [], _ arguments: String,
        variables: [String: String?] = [:], input: String = "", output: String = "",
        error: String = "", status: Int32 = 0, writes: Bool = false
    ) {
        self.rule = rule
        self.stored = stored
        self.arguments = arguments.split(separator: " ").map(String.init)
        self.variables = variables
        self.input = input
        self.output = output
        self.error = error
        self.status = status
        self.writes = writes
    }

    var testDescription: String { rule }

    /// The same with docker's helper.
    static func ofDocker(_ transcripts: [Transcript]) -> [Transcript] {
        transcripts.map { transcript in
            var transcript = transcript
            transcript.program = "docker-credential-lanyard"
            return transcript
        }
    }
}
