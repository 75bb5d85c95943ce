import Foundation
import Testing
@testable import EndToEndRig

/// The recipe of lanyard(7) for a container.
@Suite(.needs(.root, .git), .timeLimit(.minutes(10)))
struct ContainerRecipeTests {
    private static let login = "username=ada\npassword=pw\n"

    let home: ScratchHome
    private let recipe: Recipe

    init() async throws {
        home = try ScratchHome()
        recipe = try Recipe("A container")
        try await home.store("protocol=https\nhost=git.example.com\n\(ContainerRecipeTests.login)")
        try await home.setPassphrase()
        _ = try home.write(
            try await home.lanyardUnlocked("recovery-key", "create").outputText, to: "key")
    }

    /// The `--env` options of the recipe.
    private func environment() throws -> [String] {
        try recipe.commands(3).matches(of: /--env (\S+)/).map { String($0.1) }
    }

    /// Asks git, with the volume and the secret where the recipe has them, in namespaces of its own.
    private func fill(volume: String, secret: String) async throws -> Outcome {
        // In place of /keychain, which would have to be made in the machine's root folder.
        let environment = try environment().map { $0.replacing("=/keychain", with: "=/mnt") }
        #expect(environment.count == 2)
        let script = """
            mount --bind "$1" /mnt
            secret=$(cat "$2")
            programs=$HOME/programs
            mkdir -p "$programs"
            cd "$programs"
            \(try recipe.commands(0))
            ! find "$programs" -type l | grep .
            mount -t tmpfs tmpfs /run
            mkdir /run/secrets
            printf '%s' "$secret" >/run/secrets/lanyard.passphrase
            chmod 444 /run/secrets/lanyard.passphrase
            # Nothing of the home but the volume.
            mount -t tmpfs tmpfs "$1"
            cd /
            shift 2
            printf 'protocol=https\\nhost=git.example.com\\n\\n' |
                env -i PATH="$programs:$PATH" HOME=/nonexistent GIT_CONFIG_COUNT=1 \\
                    GIT_CONFIG_KEY_0=credential.helper GIT_CONFIG_VALUE_0=lanyard \\
                    GIT_TERMINAL_PROMPT=0 "$@" setsid -w git credential fill
            """
        return try await home.command(
            "unshare",
            [
                "-m", "-p", "-n", "-i", "-f", "--propagation", "private", "sh", "-euc", script,
                "sh", volume, secret,
            ] + environment
        ).run()
    }

    /// A volume with what LANYARD_HOME holds.
    private func makeVolume() async throws -> String {
        let volume = "\(home.path)/volume"
        try await home.shell("mkdir \"$1\"; cp -a \"$LANYARD_HOME\" \"$1/lanyard\"", volume)
        return volume
    }

    @Test(.needs(.mounts), arguments: ["key", "passphrase"])
    func theSecretOpensTheVolume(secret: String) async throws {
        let volume = try await makeVolume()
        let outcome = try await fill(volume: volume, secret: "\(home.path)/\(secret)")
        expectAnswer(
            outcome, "protocol=https\nhost=git.example.com\n\(ContainerRecipeTests.login)")
    }

    @Test(.needs(.mounts)) func theVolumeAloneIsOfNoUse() async throws {
        let volume = try await makeVolume()
        let outcome = try await fill(
            volume: volume, secret: home.write("nonsense", to: "nonsense"))
        #expect(outcome.status == 128 && outcome.output.isEmpty, "\(outcome)")
        #expect(outcome.errorText.contains("LANYARD_PASSPHRASE_FILE"), "\(outcome)")
    }

    /// The recipe as printed, but with this machine as the image.
    @Test(.needs(.containers)) func withPodman() async throws {
        try await home.shell(
            """
            # podman takes no long path for what runs.
            run=$(mktemp -d /tmp/run.XXXXXX)
            trap 'rm -rf "$run"' EXIT
            mkdir "$HOME/volume"
            cp -a "$LANYARD_HOME" "$HOME/volume/lanyard"
            podman() {
                command=$1
                shift
                /usr/bin/env podman --root "$HOME/images" --runroot "$run" \\
                    --storage-driver vfs --cgroup-manager cgroupfs "$command" "$@"
            }
            podman secret create lanyard.passphrase "$1"
            answer=$(printf 'protocol=https\\nhost=git.example.com\\n\\n' |
                podman run --rm -i --network none --cgroups=disabled \\
                    --secret lanyard.passphrase --volume "$HOME/volume:/keychain" \\
                    --volume "$(dirname "$(command -v lanyard)"):/programs:ro" \\
                    --env "$2" --env "$3" --rootfs /:O /programs/git-credential-lanyard get)
            case $answer in *password=pw*) ;; *) exit 1 ;; esac
            """, "\(home.path)/key", try environment()[0], try environment()[1])
    }
}

extension Need {
    fileprivate static let containers = Need(
        missing: "podman is not there, or can't run a container here",
        because: {
            let script = """
                run=$(mktemp -d /tmp/run.XXXXXX)
                trap 'rm -rf "$run"' EXIT
                podman --root "$HOME/images" --runroot "$run" --storage-driver vfs \\
                    --cgroup-manager cgroupfs run --rm --network none --cgroups=disabled \\
                    --rootfs /:O true
                """
            let outcome = try await ScratchHome().command("sh", ["-c", script]).run()
            return outcome.status == 0
                ? nil : outcome.errorText.split(separator: "\n").last.map(String.init) ?? ""
        })
}
