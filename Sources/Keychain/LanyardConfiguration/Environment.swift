internal import Glibc
package import KeychainServices

/// The environment's variables.
package enum Environment {
    /// Returns the value of a variable, nil if it is not set or empty.
    ///
    /// - Throws: ``Status/param`` if it is not UTF-8.
    package static func value(_ name: String) throws(KeychainError) -> String? {
        // Safe: no thread changes the environment, and the text is copied.
        guard let value = unsafe getenv(name), unsafe value.pointee != 0 else {
            return nil
        }
        guard let text = unsafe String(validatingCString: value) else {
            throw KeychainError(.param, "the environment variable \(name) is not UTF-8")
        }
        return text
    }

    /// Whether a display for windows is set.
    package static var hasDisplay: Bool {
        get throws(KeychainError) {
            if try value("WAYLAND_DISPLAY") != nil {
                return true
            }
            return try value("DISPLAY") != nil
        }
    }
}
