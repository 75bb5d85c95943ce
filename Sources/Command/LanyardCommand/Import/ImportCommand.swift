internal import ArgumentParser

/// `lanyard import`: copies the logins of other programs.
struct ImportCommand: ParsableCommand {
    // Not constant: without help, nothing is made of the whole catalogue.
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "import", abstract: "Import logins from other programs.",
            discussion: """
                Running it twice is harmless: what is already there is not written again.

                \(ImportedTool.listForHelp)
                """,
            subcommands: [
                ImportGitCredentialsCommand.self, ImportDockerConfigCommand.self,
                ImportNetrcCommand.self, ImportToolCommand.self, ImportCSVCommand.self,
                ImportBitwardenCommand.self, ImportKeePassXCCommand.self,
                ImportOnePasswordCommand.self, ImportKeychainDumpCommand.self,
                ImportGitHelperCommand.self, ImportDockerHelperCommand.self,
                ImportSecretServiceCommand.self, ImportPassCommand.self, ImportLanyardCommand.self,
            ],
            defaultSubcommand: ImportToolCommand.self
        ).examples(
            "lanyard import git-credentials --dry-run",
            "lanyard import docker-config",
            "lanyard import gh",
            "lanyard import csv passwords.csv",
            "lanyard import pass")
    }
}
