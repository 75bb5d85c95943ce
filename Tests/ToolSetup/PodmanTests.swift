import KeychainServices
import Testing

@testable import ToolSetup

@Suite("trying podman's path to its logins")
struct PodmanTests {
    /// podman would leave processes behind, and folders even where it only tells its version.
    @Test("podman is not run")
    func isNotRun() async throws {
        let home = try ScratchHome()
        try home.script("podman", "echo \"$@\" >>'\(home.folder)/podman-calls'; exit 1")
        try home.keepDockerLogins()
        try await home.setUp(.docker)
        let installed = await ToolProgram.installed(home.environment)
        #expect(installed.first { $0.name == .podman }?.nameAndVersion == "podman")
        let outcomes = await PathTest(home.environment).run([.podman])
        #expect(outcomes.map(\.failure) == [nil])
        #expect(!home.exists("../podman-calls"))
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
