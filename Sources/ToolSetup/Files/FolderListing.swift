internal import Glibc

/// What is in a folder of a person's or the system's, whoever may write there.
package enum FolderListing {
    /// The names, none if the folder can't be read.
    package static func names(_ folder: String) -> [String] {
        // Safe: the path has its NUL at the end and lives for the call.
        guard let stream = unsafe opendir(folder) else {
            return []
        }
        // Safe: closed once, when nothing of it is used any more.
        defer { unsafe closedir(stream) }
        var names: [String] = []
        // Safe: an entry is valid until the next call on the stream, which nobody else has; its
        // name ends with a NUL within its 256 bytes, and is copied.
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
