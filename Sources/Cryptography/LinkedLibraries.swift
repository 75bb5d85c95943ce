internal import CSodium
package import LinuxSystem

/// The libraries of this module.
package enum CryptographyLibraries {
    /// Each with the version that runs.
    package static var all: [LinkedLibrary] {
        // Safe: the text is the library's own.
        [
            LinkedLibrary(
                name: "libsodium", version: unsafe String(cString: sodium_version_string()))
        ]
    }
}
