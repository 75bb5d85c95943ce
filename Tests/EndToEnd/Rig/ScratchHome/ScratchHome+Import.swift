import Foundation
import Testing

/// What lies in plain text in a home folder.
extension ScratchHome {
    var folder: String { "\(path)/home" }

    /// Writes a file in the home folder, and the folders above it.
    @discardableResult
    func writeAtHome(_ text: String, to name: String, mode: mode_t = 0o600) throws -> String {
        let file = URL(filePath: "\(folder)/\(name)")
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        return try write(text, to: "home/\(name)", mode: mode)
    }

    /// What a file in the home folder holds, nil if there is none.
    func textAtHome(_ name: String) -> String? {
        (try? read("\(folder)/\(name)")).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Runs `lanyard import`, with no file of the machine's among those in usual places.
    func imports(
        _ arguments: String..., input: String = "", variables: [String: String?] = [:]
    ) async throws -> Outcome {
        try await command(
            "lanyard", ["import"] + arguments, input: Array(input.utf8),
            variables: ["XDG_RUNTIME_DIR": "\(folder)/run"].merging(variables) { $1 }
        ).run()
    }

    /// Runs `lanyard import`, which has to succeed with these counts.
    func expectImport(
        _ arguments: String..., saying counts: String, input: String = "",
        variables: [String: String?] = [:], sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let outcome = try await command(
            "lanyard", ["import"] + arguments, input: Array(input.utf8),
            variables: ["XDG_RUNTIME_DIR": "\(folder)/run"].merging(variables) { $1 }
        ).run()
        #expect(outcome.status == 0, "\(outcome)", sourceLocation: sourceLocation)
        #expect(
            outcome.outputText.split(separator: "\n").first ?? "" == counts, "\(outcome)",
            sourceLocation: sourceLocation)
    }
}
