import KeychainServices
import Testing

@testable import ToolSetup

@Suite("trying podman's path to its logins")
struct PodmanTests {
    /// podman itself would leave processes behind, and a store of images.
    @Test("podman is not run but for its version")
    func isNotRun() async throws {
        let home = try ScratchHome()
        try home.script("podman", "echo \"$@\" >>'\(home.folder)/podman-calls'; exit 1")
        try home.keepDockerLogins()
        try await home.setUp(.docker)
        _ = await ToolProgram.installed(home.environment)
        let outcomes = await PathTest(home.environment).run([.podman])
        #expect(outcomes.map(\.failure) == [nil])
        #expect(try home.read("../podman-calls") == "--version\n")
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
