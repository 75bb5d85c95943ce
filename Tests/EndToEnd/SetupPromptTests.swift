import Foundation
import Testing

/// `lanyard setup` as a person sees it.
@Suite(.needs(.git, .python), .timeLimit(.minutes(20)))
struct SetupPromptTests {
    let home: ScratchHome

    init() throws {
        home = try ScratchHome()
        try home.configureClients(.nothing)
        try FileManager.default.removeItem(
            atPath: "\(home.path)/home/.config/containers/registries.conf")
    }

    @Test(arguments: ["y\n", "\n", "yes\n"])
    func aYesSetsUp(typed: String) async throws {
        let session = try await PseudoTerminal(home: home).run(
            "lanyard", "setup", variables: home.toolVariables, then: .types(typed))
        #expect(session.status == 0, "\(session)")
        #expect(session.before == session.after, "\(session)")
        #expect(session.shown.contains("set these up? [Y/n] "), "\(session)")
        #expect(session.shown.contains("    git: works\r\n"), "\(session)")
        #expect(session.shown.contains("lanyard passphrase set"), "\(session)")
    }

    @Test(arguments: ["n\n", "\u{3}", "maybe\n"])
    func anythingElseChangesNothing(typed: String) async throws {
        let before = try Snapshot(home.path)
        let session = try await PseudoTerminal(home: home).run(
            "lanyard", "setup", variables: home.toolVariables, then: .types(typed))
        #expect(session.status == 128, "\(session)")
        #expect(session.before == session.after, "\(session)")
        #expect(session.shown.contains("nothing was changed"), "\(session)")
        #expect(try Snapshot(home.path).differences(from: before) == [])
    }
}
