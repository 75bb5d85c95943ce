internal import ArgumentParser
internal import LanyardTransfer
internal import KeychainServices

/// The arguments of an import from a tool's own file.
struct ImportToolFileOptions: ParsableArguments {
    @Argument(
        help: "The file, instead of those in their usual places; - is standard input.",
        completion: .file())
    var file: String?
    @OptionGroup var removal: RemovePlainTextFlag
    @OptionGroup var options: ImportOptions

    /// Imports from the file, or from the tool's default files, and reports the result.
    ///
    /// - Parameter files: Finds the files for the given path.
    func run(
        _ files: (String?) throws(KeychainError) -> ImportedFiles
    ) throws(KeychainError) {
        try options.run(try files(file), removesPlainText: removal.isOn)
    }
}

/// The arguments of an import from another program's export.
struct ImportExportedFileOptions: ParsableArguments {
    @Argument(help: "The file, - for standard input.", completion: .file())
    var file: String
    @OptionGroup var removal: RemovePlainTextFlag
    @OptionGroup var options: ImportOptions

    /// Imports from the file, and reports the result.
    ///
    /// - Parameter exportHint: How to make such a file.
    func run(_ format: any ImportFormat, exportHint: String? = nil) throws(KeychainError) {
        try options.run(
            try .file(file, format, exportHint: exportHint), removesPlainText: removal.isOn,
            requiresAll: true)
    }
}
