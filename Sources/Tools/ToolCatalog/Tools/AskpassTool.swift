package import KeychainServices
internal import ToolHelpers

/// ssh, git and sudo, which ask a program for passwords.
package enum AskpassTool: CatalogTool {
    package static let name = "askpass"
    package static let format: ToolFormat? = .askpass
    package static let settings: ToolSettings? = ToolSettings(
        "ssh, git and sudo", place: "in a file with variables for your sessions",
        files: [
            SettingsFile(
                ".config/environment.d/60-lanyard-askpass.conf",
                "ssh, git and sudo -A ask lanyard for passwords",
                lines: [
                    "SSH_ASKPASS=HELPER", "SSH_ASKPASS_REQUIRE=force", "SUDO_ASKPASS=HELPER",
                    // Otherwise it is in the user's language, which askpass-lanyard does not read.
                    "SUDO_PROMPT=\"[sudo] password for %p: \"",
                ], .whole)
        ],
        rivals: ["SSH_ASKPASS", "SUDO_ASKPASS"],
        // Only systemd reads the file.
        notes: [
            "systemd sets the variables in desktop sessions, from the next login on",
            "for other shells, add to ~/.profile: set -a; . FILE; set +a",
        ])
    package static let sources = ["environment.d(5)", "ssh(1)", "sudo(8)"]
}
