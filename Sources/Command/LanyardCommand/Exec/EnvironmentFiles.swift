internal import KeychainServices
internal import LanyardPrompting
internal import ToolCatalog

/// The variables of all `.env` files of a command.
///
/// Others may write such a file, for example in a cloned repository: what it sets can do more than it seems.
struct EnvironmentFiles {
    /// A variable.
    struct Entry {
        let variable: EnvironmentFile.Entry
        /// The file's path, as the user wrote it.
        let path: String
        let effect: VariableEffect

        var name: String { variable.name }
        /// The file and the line.
        var origin: String { "\(path):\(variable.line)" }
    }

    /// Those that count, in their order: the last one of each name.
    private(set) var entries: [Entry] = []

    /// Reads the files.
    ///
    /// - Parameter names: Variables that options set: those of the files don't count.
    /// - Throws: ``Status/param`` for an invalid line, ``Status/itemNotFound`` for a missing file, ``Status/io``.
    init(_ paths: [String], except names: Set<String>) throws(KeychainError) {
        for path in paths {
            let file = try ReferenceText.parsing(path) { bytes throws(KeychainError) in
                try EnvironmentFile(bytes)
            }
            for variable in file.entries where !names.contains(variable.name) {
                entries.removeAll { $0.name == variable.name }
                entries.append(
                    Entry(
                        variable: variable, path: path,
                        effect: VariableEffect(of: variable.name)))
            }
        }
    }

    /// Names the variables that can make the program run other code.
    ///
    /// - Parameter allowed: The variables that the user has allowed by name.
    /// - Throws: ``Status/param`` for one that the dynamic loader or Lanyard obeys.
    func check(allowing allowed: [String]) throws(KeychainError) {
        let others = entries.filter { !allowed.contains($0.name) }
        let refused = others.filter { $0.effect == .loaderOrLanyard }
        guard refused.isEmpty else {
            throw KeychainError(
                .param,
                "\(refused[0].origin): a file may not set "
                    + refused.map(\.name).joined(separator: ", "),
                hint: "if you trust it: "
                    + refused.map { "--allow-env \($0.name)" }.joined(separator: " "))
        }
        let named = others.filter { $0.effect == .otherCode }
        guard !named.isEmpty else {
            return
        }
        let paths = named.map(\.path).enumerated().filter { number, path in
            !named.prefix(number).contains { $0.path == path }
        }
        printNote(
            "\(paths.map { "'\($0.element)'" }.joined(separator: ", ")) sets "
                + "\(named.map(\.name).joined(separator: ", ")), which can make the program run other code"
        )
    }
}
