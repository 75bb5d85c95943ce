internal import ArgumentParser
internal import ItemImport

/// `lanyard import git-credentials`.
struct ImportGitCredentialsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "git-credentials", abstract: "Import the file of git credential-store.")

    @OptionGroup var options: ImportToolFileOptions

    func run() throws {
        try options.run(ImportedFiles.gitCredentials)
    }
}

/// `lanyard import docker-config`.
struct ImportDockerConfigCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "docker-config",
        abstract: "Import the logins in docker's config.json and podman's auth.json.")

    @OptionGroup var options: ImportToolFileOptions

    func run() throws {
        try options.run(ImportedFiles.dockerConfig)
    }
}

/// `lanyard import netrc`.
struct ImportNetrcCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "netrc", abstract: "Import .netrc, for git.")

    @OptionGroup var options: ImportToolFileOptions

    func run() throws {
        try options.run(ImportedFiles.netrc)
    }
}

/// `lanyard import csv`.
struct ImportCSVCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "csv", abstract: "Import what a browser or a password manager has exported.")

    @OptionGroup var options: ImportExportedFileOptions

    func run() throws {
        try options.run(CSVFile())
    }
}

/// `lanyard import bitwarden`.
struct ImportBitwardenCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bitwarden", abstract: "Import what Bitwarden has exported as JSON.")

    @OptionGroup var options: ImportExportedFileOptions

    func run() throws {
        try options.run(BitwardenFile())
    }
}

/// `lanyard import keychain-dump`.
struct ImportKeychainDumpCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keychain-dump",
        abstract: "Import what 'security dump-keychain -d' has printed on a Mac.")

    @OptionGroup var options: ImportExportedFileOptions

    func run() throws {
        try options.run(KeychainDumpFile())
    }
}
