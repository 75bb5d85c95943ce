internal import CSodium
package import LinuxSystem

/// The libraries of this module.
package enum CryptographyLibraries {
    /// Each library with the version in use.
    package static var all: [LinkedLibrary] {
        // Safe: the text belongs to the library.
        [
            LinkedLibrary(
                name: "libsodium", version: unsafe String(cString: sodium_version_string()))
        ]
    }
}
