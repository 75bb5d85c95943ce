package import KeychainServices

/// A tool with a helper, or whose plain-text files have a reader of their own: all that Lanyard knows of it besides the
/// helper's protocol and the reader.
///
/// Each is a type: who looks one up by its name makes nothing of the others.
package protocol CatalogTool: SendableMetatype {
    /// Its name in `lanyard setup` and `lanyard import`.
    static var name: String { get }
    /// Its helper, and the form of its logins; nil if it has none.
    static var format: ToolFormat? { get }
    /// Names of it besides those of its programs.
    static var otherNames: [String] { get }
    /// What its setup writes; nil if it has none of this kind.
    static var settings: ToolSettings? { get }
    /// Where it stores logins in plain text, in the order in which they count.
    static var plainText: [SecretFile] { get }
    /// What moves these files, and those of its settings.
    static var moves: [FileMove] { get }
    /// The tool whose setup makes programs find what was imported.
    static var setupName: String { get }
    /// What to do about plain text that an import can't remove, because no helper passes the items on.
    static var advice: String? { get }
    /// The documents that name its files and settings: addresses, manual pages, or `OWNER/REPOSITORY/PATH` on GitHub.
    static var sources: [String] { get }

    /// Returns the paths of its existing plain-text files in the order in which their logins count.
    ///
    /// - Parameter variable: Returns the value of a variable, nil for one that is not set.
    static func inOrder(_ paths: [String], _ variable: (String) -> String?) -> [String]
}

extension CatalogTool {
    package static var format: ToolFormat? { nil }
    package static var otherNames: [String] { [] }
    package static var settings: ToolSettings? { nil }
    package static var plainText: [SecretFile] { [] }
    package static var moves: [FileMove] { [] }
    package static var setupName: String { name }
    package static var advice: String? { nil }

    package static func inOrder(
        _ paths: [String], _ variable: (String) -> String?
    ) -> [String] { paths }

    /// The names that mean its setup, besides its own.
    package static var namesOfSetup: [String] {
        ((format?.programs ?? []) + otherNames).filter { $0 != name }
    }
}
