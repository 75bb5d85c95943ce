internal import CKeyutils
internal import CSQLite
internal import LanyardCryptography
package import LinuxSystem

extension SealedStore {
    /// The libraries of this module and of those it imports, each with the version in use.
    package static var linkedLibraries: [LinkedLibrary] {
        // Safe: the texts belong to the libraries.
        let keyutils = unsafe String(cString: lanyard_keyutils_version())
        return [
            LinkedLibrary(name: "SQLite", version: unsafe String(cString: sqlite3_libversion()))
        ] + CryptographyLibraries.all + [
            LinkedLibrary(
                name: "keyutils", version: String(keyutils.split(separator: "-").last ?? ""))
        ] + LinkedLibrary.ofSystem
    }
}
