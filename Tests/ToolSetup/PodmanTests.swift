import KeychainServices
import Testing

@testable import ToolSetup

@Suite("trying podman's path to its logins")
struct PodmanTests {
    /// They would leave processes behind, and folders even where they only tell their version.
    @Test("podman and buildah are not run", arguments: ["podman", "buildah"])
    func isNotRun(name: String) async throws {
        let home = try ScratchHome()
        try home.script(name, "echo \"$@\" >>'\(home.folder)/calls'; exit 1")
        try home.keepDockerLogins()
        try await home.setUp(.docker)
        let installed = await ToolProgram.installed(home.environment)
        #expect(installed.map(\.nameAndVersion).contains(name))
        let outcomes = await PathTest(home.environment).run([name == "podman" ? .podman : .buildah])
        #expect(outcomes.map(\.failure) == [nil])
        #expect(!home.exists("../calls"))
        #expect(home.logins.isEmpty)
    }

    @Test("a configuration that names another helper is told of")
    func otherHelper() async throws {
        let home = try ScratchHome()
        try home.script("podman", "exit 1")
        try home.keepDockerLogins()
        try await home.setUp(.docker)
        try home.write(
            ".config/containers/registries.conf.d/zzz.conf", "credential-helpers = [\"pass\"]\n")
        let outcomes = await PathTest(home.environment).run([.podman])
        #expect(
            outcomes.map(\.failure?.reason) == [
                "podman's configuration names another helper than lanyard"
            ])
    }
}
