import KeychainServices
import Testing

@testable import ToolSetup

@Suite("trying podman's path to its logins")
struct PodmanTests {
    /// podman itself would leave processes behind, and a store of images.
    @Test("podman is not run")
    func isNotRun() throws {
        let home = try SetupHome()
        try home.script("podman", "echo \"$@\" >>'\(home.folder)/calls'; exit 1")
        try home.keepDockerLogins()
        try home.setUp(.docker)
        let outcomes = PathTest(home.environment).run([.podman])
        #expect(outcomes.map(\.failure) == [nil])
        #expect(!home.exists("../calls"))
        #expect(home.logins.isEmpty)
    }

    /// It would make folders in the user's runtime folder.
    @Test("finding it does not run it", arguments: ["podman", "buildah"])
    func isFound(name: String) throws {
        let home = try SetupHome()
        try home.script(name, "echo \"$@\" >>'\(home.folder)/calls'; exit 1")
        let installed = ToolProgram.installed(home.environment)
        #expect(installed.map(\.nameAndVersion).contains(name))
        #expect(!home.exists("../calls"))
    }

    @Test(
        "buildah's own reason, without the password of the trial login",
        arguments: [
            ("echo 'error: unknown userid 9' >&2; echo more >&2", ": error: unknown userid 9"),
            ("cat \"${0%/*}\"/../logins/* >&2", ""), (":", ""),
        ])
    func ownReason(script: String, reason: String) throws {
        let home = try SetupHome()
        try home.keepDockerLogins()
        try home.script("buildah", "\(script)\nexit 1")
        try home.setUp(.docker)
        let outcomes = PathTest(home.environment).run([.buildah])
        #expect(
            outcomes.map(\.failure?.reason) == [
                "buildah does not find a login in lanyard\(reason)"
            ])
    }

    @Test("a configuration that names another helper is reported")
    func otherHelper() throws {
        let home = try SetupHome()
        try home.script("podman", "exit 1")
        try home.keepDockerLogins()
        try home.setUp(.docker)
        try home.write(
            ".config/containers/registries.conf.d/zzz.conf", "credential-helpers = [\"pass\"]\n")
        let outcomes = PathTest(home.environment).run([.podman])
        #expect(
            outcomes.map(\.failure?.reason) == [
                "podman's configuration names another helper than lanyard"
            ])
    }
}
