internal import CLibcrypto
package import LinuxSystem

/// The libraries of this module.
package enum CertificatesLibraries {
    /// Each library with the version in use.
    package static var all: [LinkedLibrary] {
        // Safe: the text belongs to the library.
        let version = unsafe String(cString: OpenSSL_version(OPENSSL_VERSION_STRING))
        return [LinkedLibrary(name: "OpenSSL", version: version)]
    }
}
