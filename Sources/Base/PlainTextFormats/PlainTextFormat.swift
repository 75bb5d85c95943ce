/// The format of a plain-text file.
package enum PlainTextFormat: String, Hashable, Sendable, CaseIterable {
    case json, yaml, toml
    /// Sections in brackets and lines `key = value`. A path has the section, then the key; a key before
    /// every section has a path of its own name only. A line without a sign is no verbatim value: its first word, or the
    /// key that goes on there, names it; a single word has an empty name.
    case ini
    /// Java's properties: lines `key=value`, `key:value` or `key value`. A path is the key.
    case properties
    /// `machine`, `login` and `password`. A path has the machine, then `login` or `password`.
    case netrc
    /// Lines of libpq's password file. A path is `user` or `password`.
    case pgpass
    /// HCL, HashiCorp's language of configurations. A path has the words of the blocks, then the key.
    case hcl
    /// A path has the names of elements.
    case xml
    /// The secret is the first line.
    case singleLine
}
