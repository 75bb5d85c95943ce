internal import ArgumentParser

/// `lanyard team`: shares a keychain.
struct TeamCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "team",
        abstract: "Share a keychain with your other machines, or with a team.",
        discussion:
            "Every device has the whole keychain, so reading works without the server. The server "
            + "gets encrypted items only.",
        subcommands: [
            CreateTeamCommand.self, InitTeamCommand.self, InviteCommand.self,
            JoinTeamCommand.self, ApproveCommand.self, RefuseCommand.self,
            ListMembersCommand.self, ChangeRoleCommand.self, RemoveMemberCommand.self,
            LeaveTeamCommand.self,
            SyncCommand.self, TeamStatusCommand.self, TeamRecoveryKeyCommand.self,
            RecoverTeamCommand.self,
        ]
    ).examples(
        "lanyard team create /mnt/share/team --keychain work",
        "lanyard team invite --keychain work",
        "lanyard team sync --keychain work")
}
