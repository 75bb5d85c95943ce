internal import ArgumentParser
internal import ItemImport
internal import KeychainServices

/// `lanyard import TOOL` for the plain-text file of a tool with a helper.
protocol ImportToolCommand: ParsableCommand {
    /// The command's name.
    static var name: String { get }
    /// The content of the file.
    static var content: String { get }
    var options: ImportToolFileOptions { get }

    /// Returns a file, or the tool's own.
    static func files(_ path: String?) throws(KeychainError) -> ImportedFiles
}

extension ImportToolCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(commandName: name, abstract: "Import \(content).").examples(
            "lanyard import \(name) --dry-run", "lanyard import \(name) --remove-plain-text")
    }

    func run() throws {
        try options.run(Self.files)
    }
}

/// `lanyard import aws`.
struct ImportAWSCommand: ImportToolCommand {
    static let name = "aws"
    static let content = "aws's file of keys"
    @OptionGroup var options: ImportToolFileOptions

    static func files(_ path: String?) throws(KeychainError) -> ImportedFiles {
        try .aws(path)
    }
}

/// `lanyard import cargo`.
struct ImportCargoCommand: ImportToolCommand {
    static let name = "cargo"
    static let content = "cargo's tokens"
    @OptionGroup var options: ImportToolFileOptions

    static func files(_ path: String?) throws(KeychainError) -> ImportedFiles {
        try .cargo(path)
    }
}

/// `lanyard import npm`.
struct ImportNpmCommand: ImportToolCommand {
    static let name = "npm"
    static let content = "the tokens of npm's registries, for pnpm"
    @OptionGroup var options: ImportToolFileOptions

    static func files(_ path: String?) throws(KeychainError) -> ImportedFiles {
        try .npm(path)
    }
}

/// `lanyard import pypirc`.
struct ImportPypircCommand: ImportToolCommand {
    static let name = "pypirc"
    static let content = "the passwords in .pypirc, for keyring"
    @OptionGroup var options: ImportToolFileOptions

    static func files(_ path: String?) throws(KeychainError) -> ImportedFiles {
        try .pypirc(path)
    }
}

/// `lanyard import terraform`.
struct ImportTerraformCommand: ImportToolCommand {
    static let name = "terraform"
    static let content = "terraform's tokens"
    @OptionGroup var options: ImportToolFileOptions

    static func files(_ path: String?) throws(KeychainError) -> ImportedFiles {
        try .terraform(path)
    }
}

/// `lanyard import vault`.
struct ImportVaultCommand: ImportToolCommand {
    static let name = "vault"
    static let content = "vault's token"
    @OptionGroup var options: ImportToolFileOptions

    static func files(_ path: String?) throws(KeychainError) -> ImportedFiles {
        try .vault(path)
    }
}
