internal import ArgumentParser
internal import LanyardTransfer

/// `lanyard import git-credentials`.
struct ImportGitCredentialsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "git-credentials", abstract: "Import the file of git credential-store."
    ).examples(
        "lanyard import git-credentials --dry-run",
        "lanyard import git-credentials --remove-plain-text")

    @OptionGroup var options: ImportToolFileOptions

    func run() throws {
        try options.run(ImportedFiles.gitCredentials)
    }
}

/// `lanyard import docker-config`.
struct ImportDockerConfigCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "docker-config",
        abstract: "Import the logins in docker's config.json and podman's auth.json."
    ).examples(
        "lanyard import docker-config --dry-run",
        "lanyard import docker-config ~/.docker/config.json --remove-plain-text")

    @OptionGroup var options: ImportToolFileOptions

    func run() throws {
        try options.run(ImportedFiles.dockerConfig)
    }
}

/// `lanyard import netrc`.
struct ImportNetrcCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "netrc", abstract: "Import .netrc, for git."
    ).examples(
        "lanyard import netrc --dry-run",
        "lanyard import netrc")

    @OptionGroup var options: ImportToolFileOptions

    func run() throws {
        try options.run(ImportedFiles.netrc)
    }
}

/// `lanyard import csv`.
struct ImportCSVCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "csv", abstract: "Import the CSV export of a browser or a password manager."
    ).examples(
        "lanyard import csv passwords.csv --dry-run",
        "lanyard import csv passwords.csv")

    @OptionGroup var options: ImportExportedFileOptions

    func run() throws {
        try options.run(CSVFile())
    }
}

/// `lanyard import bitwarden`.
struct ImportBitwardenCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bitwarden", abstract: "Import a JSON export of Bitwarden."
    ).examples(
        "lanyard import bitwarden bitwarden_export.json --dry-run",
        "lanyard import bitwarden bitwarden_export.json")

    @OptionGroup var options: ImportExportedFileOptions

    func run() throws {
        try options.run(
            BitwardenFile(), exportHint: "export it from Bitwarden in the file format .json")
    }
}

/// `lanyard import keepassxc`.
struct ImportKeePassXCCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keepassxc", abstract: "Import the XML export of KeePassXC or KeePass."
    ).examples(
        "keepassxc-cli export passwords.kdbx | lanyard import keepassxc -",
        "lanyard import keepassxc export.xml --remove-plain-text")

    @OptionGroup var options: ImportExportedFileOptions

    func run() throws {
        try options.run(
            KeePassFile(), exportHint: "keepassxc-cli export --format xml DATABASE > export.xml")
    }
}

/// `lanyard import 1password`.
struct ImportOnePasswordCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "1password", abstract: "Import a .1pux export of 1Password.",
        aliases: ["1pux"]
    ).examples(
        "lanyard import 1password export.1pux --dry-run",
        "lanyard import 1password export.1pux --remove-plain-text")

    @OptionGroup var options: ImportExportedFileOptions

    func run() throws {
        try options.run(
            OnePasswordArchive(), exportHint: "export it from 1Password in the file format 1PUX")
    }
}

/// `lanyard import keychain-dump`.
struct ImportKeychainDumpCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keychain-dump",
        abstract: "Import the output of 'security dump-keychain -d' on a Mac."
    ).examples(
        "lanyard import keychain-dump dump.txt --dry-run",
        "lanyard import keychain-dump dump.txt")

    @OptionGroup var options: ImportExportedFileOptions

    func run() throws {
        try options.run(KeychainDumpFile())
    }
}
