package import KeychainServices
package import ToolCatalog

/// A tool of the catalogue whose plain-text files have a reader here.
package protocol ReadTool: CatalogTool {
    associatedtype Reader: ImportFormat

    /// Returns the reader of its files.
    ///
    /// - Parameters:
    ///   - path: The path of a file, nil for one that does not matter. What is beside it may say whose its logins are.
    ///   - variable: Returns the value of a variable, nil for one that is not set.
    static func reader(
        of path: String?, _ variable: (String) -> String?
    ) throws(KeychainError) -> Reader
}

/// The reader of a tool's files if nothing besides the file matters.
package protocol PlainReader: ImportFormat {
    init()
}

extension ReadTool where Reader: PlainReader {
    package static func reader(
        of path: String?, _ variable: (String) -> String?
    ) throws(KeychainError) -> Reader { Reader() }
}
