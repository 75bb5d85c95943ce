import Foundation
import Testing
@testable import EndToEndRig

/// What `lanyard setup` must not leave behind, and what it needs.
@Suite(.needs(.git), .timeLimit(.minutes(10)))
struct SetupLeftoverTests {
    let home: ScratchHome

    init() throws {
        home = try ScratchHome()
    }

    /// podman's first run as an ordinary user starts `podman pause`, and a bus where there is none.
    @Test(.needs(.root, .anotherUser), arguments: [true, false])
    func noProcessOfAnOrdinaryUserStays(hasRuntimeFolder: Bool) async throws {
        let theirs = try home.folder("theirs", of: AnotherUser.id)
        let runtime = try home.folder("theirs/run", of: AnotherUser.id)
        let programs = try home.copiesOfPrograms([
            "lanyard", "git-credential-lanyard", "docker-credential-lanyard",
        ])
        let setUp = try await home.command(
            "setpriv", AnotherUser.arguments + ["lanyard", "setup", "--yes"],
            variables: [
                "HOME": theirs, "LANYARD_HOME": nil, "GIT_CONFIG_GLOBAL": nil, "TMPDIR": runtime,
                "PATH": "\(programs):/usr/local/bin:/usr/bin:/bin",
                "XDG_RUNTIME_DIR": hasRuntimeFolder ? runtime : nil,
            ]
        ).run()
        #expect(setUp.status == 0, "\(setUp)")
        let left = try await home.shell(
            """
            for environment in /proc/[0-9]*/environ; do
                if tr '\\0' '\\n' <"$environment" 2>/dev/null | grep -qxF "HOME=$1"; then
                    process=${environment%/environ}
                    tr '\\0' ' ' <"$process/cmdline"
                    kill -9 "${process#/proc/}"
                fi
            done
            """, theirs)
        #expect(left.outputText.isEmpty, "\(left): \(setUp)")
        let stores = "\(theirs)/.local/share/containers"
        #expect(!FileManager.default.fileExists(atPath: stores))
    }

    /// As in a chroot.
    @Test(
        .needs(.mounts, .unsanitized),
        arguments: ["lanyard setup --yes", "lanyard doctor", "git-credential-lanyard get"])
    func withoutProcOneLineSaysSo(command: String) async throws {
        try await home.set("x", secret: "s")
        let outcome = try await home.command(
            "unshare",
            [
                "--mount", "--propagation", "private", "sh", "-c",
                "umount -l /proc && printf 'protocol=https\\nhost=a.example\\n' | \(command)",
            ]
        ).run()
        #expect(outcome.status != 0 && outcome.output.isEmpty, "\(outcome)")
        #expect(
            outcome.errorText == """
                lanyard: error: /proc is not mounted, and lanyard needs it
                lanyard: hint: mount -t proc proc /proc

                """)
    }
}
