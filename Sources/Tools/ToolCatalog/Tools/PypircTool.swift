internal import PlainTextFormats

/// The file in which twine and its like store the logins of indexes; twine asks keyring for them.
package enum PypircTool: CatalogTool {
    package static let name = "pypirc"
    package static let plainText = [SecretFile(".pypirc", .ini, [.secret(["*", "password"])])]
    package static let setupName = "keyring"
    package static let sources = ["https://packaging.python.org/en/latest/specifications/pypirc/"]
}
