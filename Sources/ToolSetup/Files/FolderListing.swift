internal import Glibc

/// Lists a folder of the user's or the system's, whoever may write to it.
package enum FolderListing {
    /// Returns the names, none if the folder is unreadable.
    package static func names(_ folder: String) -> [String] {
        // Safe: the path is NUL-terminated and outlives the call.
        guard let stream = unsafe opendir(folder) else {
            return []
        }
        // Safe: closed once, after its last use.
        defer { unsafe closedir(stream) }
        var names: [String] = []
        // Safe: an entry is valid until the next call on this private stream; its name is NUL-terminated
        // within its 256 bytes, and is copied.
        while let entry = unsafe readdir(stream) {
            unsafe names.append(
                withUnsafePointer(to: &entry.pointee.d_name) { name in
                    unsafe name.withMemoryRebound(to: CChar.self, capacity: 256) {
                        unsafe String(cString: $0)
                    }
                })
        }
        return names.filter { $0 != "." && $0 != ".." }
    }
}
