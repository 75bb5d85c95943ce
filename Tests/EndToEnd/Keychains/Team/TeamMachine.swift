import TestSupport
import Testing
@testable import EndToEndRig

/// A machine of a test: a home with a keychain `work`, and the team's commands for it.
struct TeamMachine: Sendable {
    let home: ScratchHome
    private let person: String
    private let device: String

    init(_ person: String, device: String = "laptop") async throws {
        home = try ScratchHome()
        (self.person, self.device) = (person, device)
        expectAnswer(try await home.lanyard("keychain", "create", "work"), "")
    }

    /// Makes a copy of a machine, of which nothing knows yet that it is one.
    init(copying other: TeamMachine, device: String) async throws {
        home = try ScratchHome()
        (person, self.device) = (other.person, device)
        _ = try await home.shell(#"cp -a "$1/." "$2""#, other.home.lanyard, home.lanyard)
    }

    /// Runs `lanyard team`.
    func team(_ arguments: String...) async throws -> Outcome {
        try await run(arguments)
    }

    private func run(_ arguments: [String]) async throws -> Outcome {
        try await home.command(
            "lanyard", ["team"] + arguments + ["--keychain", "work"], variables: ["USER": person]
        ).run()
    }

    /// Runs a command of `lanyard team`, which has to succeed, and returns its standard output.
    @discardableResult
    func succeeds(
        _ arguments: String..., sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> String {
        let outcome = try await run(arguments)
        #expect(outcome.status == 0, "\(outcome)", sourceLocation: sourceLocation)
        return outcome.outputText
    }

    func create(_ address: String) async throws {
        try await succeeds("create", address, "--person", person, "--device", device)
    }

    /// Joins another machine's team.
    func join(_ owner: TeamMachine, _ address: String, role: String = "member") async throws {
        let code = try await owner.code()
        let own = try await succeeds(
            "join", address, code, "--person", person, "--device", device)
        try await owner.succeeds("approve", String(own.dropLast()), "--role", role)
        try await succeeds("sync")
    }

    /// The team's code, from the invitation.
    func code() async throws -> String {
        let words = try await succeeds("invite").split { " \n".contains($0) }
        return String(try #require(words.dropLast(2).last))
    }

    func set(_ name: String, _ secret: String) async throws {
        try await home.set(name, "--keychain", "work", secret: secret)
    }

    func secret(_ name: String) async throws -> String? {
        try await home.secret(name, in: "work")
    }
}

extension ScratchPostgreSQL {
    /// Ada's password, which owns the database, and that of grace.
    static let passwords = ["ada": "ri:g\\ht", "grace": "other"]
}
