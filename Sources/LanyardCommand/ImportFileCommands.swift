internal import ArgumentParser
internal import ItemImport

/// `lanyard import git-credentials`.
struct ImportGitCredentialsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "git-credentials", abstract: "Import the file of git credential-store.")

    @Argument(
        help: "The file, instead of those in their usual places; - is standard input.",
        completion: .file())
    var file: String?
    @OptionGroup var removal: RemovePlainTextFlag
    @OptionGroup var options: ImportOptions

    func run() throws {
        try options.run(try .gitCredentials(file), removesPlainText: removal.isOn)
    }
}

/// `lanyard import docker-config`.
struct ImportDockerConfigCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "docker-config",
        abstract: "Import the logins in docker's config.json and podman's auth.json.")

    @Argument(
        help: "The file, instead of those in their usual places; - is standard input.",
        completion: .file())
    var file: String?
    @OptionGroup var removal: RemovePlainTextFlag
    @OptionGroup var options: ImportOptions

    func run() throws {
        try options.run(try .dockerConfig(file), removesPlainText: removal.isOn)
    }
}

/// `lanyard import netrc`.
struct ImportNetrcCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "netrc", abstract: "Import .netrc, for git.")

    @Argument(
        help: "The file, instead of those in their usual places; - is standard input.",
        completion: .file())
    var file: String?
    @OptionGroup var removal: RemovePlainTextFlag
    @OptionGroup var options: ImportOptions

    func run() throws {
        try options.run(try .netrc(file), removesPlainText: removal.isOn)
    }
}

/// `lanyard import csv`.
struct ImportCSVCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "csv", abstract: "Import what a browser or a password manager has exported.")

    @Argument(help: "The file, - for standard input.", completion: .file())
    var file: String
    @OptionGroup var removal: RemovePlainTextFlag
    @OptionGroup var options: ImportOptions

    func run() throws {
        try options.run(try .file(file, CSVFile()), removesPlainText: removal.isOn)
    }
}

/// `lanyard import bitwarden`.
struct ImportBitwardenCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bitwarden", abstract: "Import what Bitwarden has exported as JSON.")

    @Argument(help: "The file, - for standard input.", completion: .file())
    var file: String
    @OptionGroup var removal: RemovePlainTextFlag
    @OptionGroup var options: ImportOptions

    func run() throws {
        try options.run(try .file(file, BitwardenFile()), removesPlainText: removal.isOn)
    }
}

/// `lanyard import keychain-dump`.
struct ImportKeychainDumpCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keychain-dump",
        abstract: "Import what 'security dump-keychain -d' has printed on a Mac.")

    @Argument(help: "The file, - for standard input.", completion: .file())
    var file: String
    @OptionGroup var removal: RemovePlainTextFlag
    @OptionGroup var options: ImportOptions

    func run() throws {
        try options.run(try .file(file, KeychainDumpFile()), removesPlainText: removal.isOn)
    }
}
