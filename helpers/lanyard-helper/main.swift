import KeychainServices
import Keychains
import LinuxSystem
import ToolHelpers

private let help = """
    usage: lanyard-helper NAME [ARGUMENTS]
           lanyard-helper --names
           lanyard-helper --help|--version

    All helpers of tools, and the programs that Lanyard starts: one program under
    several names. --names lists them.

    examples:
      /usr/libexec/lanyard/lanyard-helper --names
      /usr/libexec/lanyard/lanyard-helper git-credential-lanyard capability
    """

// First: pam_exec(8) starts it as root, and it then reads nothing else.
switch ProgramArguments.name() {
case "lanyard-pam": runPAMHelper()
case "git-credential-lanyard": runGitHelper()
case "docker-credential-lanyard": runDockerHelper()
case "lanyard-sync-git": runGitTransport()
case "lanyard-sync-postgresql": runPostgreSQLTransport()
case "lanyard-presence-fido2": runFIDO2Helper()
default:
    runToolHelper(
        among: ToolFormat.all,
        besides: [
            "lanyard-pam", "lanyard-sync-git", "lanyard-sync-postgresql", "lanyard-presence-fido2",
        ],
        name: "lanyard-helper", help: help)
}
