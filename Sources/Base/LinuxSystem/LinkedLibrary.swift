internal import CLinux

/// A library linked with a program.
package struct LinkedLibrary: Equatable, Sendable {
    /// The name that its own project gives it.
    package let name: String
    /// The version in use.
    package let version: String

    package init(name: String, version: String) {
        self.name = name
        self.version = version
    }

    /// Swift's runtime and the C library.
    package static var ofSystem: [LinkedLibrary] {
        let number = Int(lanyard_swift_version)
        let swift = [number / 10_000, number / 100 % 100, number % 100]
        return [
            LinkedLibrary(
                name: "Swift", version: swift.map { "\($0)" }.joined(separator: ".")),
            // Safe: the text belongs to the library.
            LinkedLibrary(
                name: "glibc", version: unsafe String(cString: gnu_get_libc_version())),
        ]
    }
}
