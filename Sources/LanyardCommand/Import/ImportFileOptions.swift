internal import ArgumentParser
internal import ItemImport
internal import KeychainServices

/// What an import from a tool's own file takes.
struct ImportToolFileOptions: ParsableArguments {
    @Argument(
        help: "The file, instead of those in their usual places; - is standard input.",
        completion: .file())
    var file: String?
    @OptionGroup var removal: RemovePlainTextFlag
    @OptionGroup var options: ImportOptions

    /// Imports from the file, or from those that the tool has, and says what came of it.
    ///
    /// - Parameter files: The files that are meant, by the path that was given.
    func run(
        _ files: (String?) throws(KeychainError) -> ImportedFiles
    ) throws(KeychainError) {
        try options.run(try files(file), removesPlainText: removal.isOn)
    }
}

/// What an import from a file takes that another program has exported.
struct ImportExportedFileOptions: ParsableArguments {
    @Argument(help: "The file, - for standard input.", completion: .file())
    var file: String
    @OptionGroup var removal: RemovePlainTextFlag
    @OptionGroup var options: ImportOptions

    /// Imports from the file, and says what came of it.
    func run(_ format: any ImportFormat) throws(KeychainError) {
        try options.run(try .file(file, format), removesPlainText: removal.isOn)
    }
}
