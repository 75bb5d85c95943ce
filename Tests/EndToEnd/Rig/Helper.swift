import Foundation
import Testing
import TestSupport

/// A program that speaks a protocol with another program.
enum Helper: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case git = "git-credential-lanyard"
    case docker = "docker-credential-lanyard"

    var name: String { rawValue }
    var testDescription: String { name }

    /// A login that `store` takes.
    var login: String {
        switch self {
        case .git: "\(question)username=ada\npassword=pw\n"
        case .docker: #"{"ServerURL":"example.com","Username":"ada","Secret":"pw"}"#
        }
    }

    /// What `get` finds the login with.
    var question: String {
        switch self {
        case .git: "protocol=https\nhost=example.com\n"
        case .docker: "example.com"
        }
    }

    /// What no operation takes for a request.
    var nonsense: String {
        switch self {
        case .git: "no request\n"
        case .docker: "\n"
        }
    }

    /// The other options that users might try.
    static let likelyOptions = [
        "--group", "--config", "--file", "--verbose", "--quiet", "--force", "--debug",
    ]

    /// Expects a refusal, as the protocol has it.
    ///
    /// - Parameter message: What it has to say.
    func expectRefusal(
        _ outcome: Outcome, _ message: String, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        switch self {
        case .git:
            EndToEndRig.expectRefusal(outcome, message, sourceLocation: sourceLocation)
        case .docker:
            expectDockerRefusal(outcome, message, sourceLocation: sourceLocation)
        }
    }

    /// The text of its man page.
    func manPage() throws -> String {
        try Repository.text("man/\(name).1")
    }
}

extension ScratchHome {
    /// Runs a helper.
    func run(
        _ helper: Helper, _ arguments: [String], input: String = "",
        variables: [String: String?] = [:]
    ) async throws -> Outcome {
        try await command(
            helper.name, arguments, input: Array(input.utf8), variables: variables
        ).run()
    }
}
