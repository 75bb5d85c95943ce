internal import Glibc
package import Secrets

extension PinnedFolder {
    /// The names of what is in it, in no order, `.` and `..` among them. The corresponding C function is
    /// `readdir`.
    package func names() throws(KeychainError) -> [String] {
        let descriptor: Int32
        do throws(SystemCallError) {
            descriptor = try openForReading()
        } catch {
            throw error.keychainError("can't read the folder '\(path)'")
        }
        // Safe: the descriptor is open, and the stream's from here on.
        guard let stream = unsafe fdopendir(descriptor) else {
            SystemCalls.close(descriptor)
            throw SystemCallError(call: "fdopendir", code: errno).keychainError(
                "can't read the folder '\(path)'")
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
        return names
    }
}
