internal import Glibc
package import LanyardSecrets

extension PinnedFolder {
    /// Returns the names in the folder, unsorted.
    package func names() throws(KeychainError) -> [String] {
        do throws(SystemCallError) {
            return try SystemCalls.names(inFolder: openForReading())
        } catch {
            throw PrivatePlace.refusal(error, "can't read the folder '\(path)'", path)
        }
    }
}

extension SystemCalls {
    /// Returns the names in an open folder, unsorted and without `.` and `..`, and closes the descriptor. The
    /// corresponding C function is `readdir`.
    package static func names(inFolder descriptor: Int32) throws(SystemCallError) -> [String] {
        // Safe: the descriptor is open, and belongs to the stream from here on.
        guard let stream = unsafe fdopendir(descriptor) else {
            let code = errno
            close(descriptor)
            throw SystemCallError(call: "fdopendir", code: code)
        }
        // Safe: closed once, after its last use.
        defer { unsafe closedir(stream) }
        var names: [String] = []
        // Safe: an entry is valid until the next call on the stream, which only this code uses; its
        // name ends with NUL within its 256 bytes, and is copied.
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

extension PinnedFolder {
    /// Returns a path; if its name begins with `*`, the paths of the folder's files whose names end as it does. None if
    /// the folder is unreadable.
    package static func files(_ path: String) -> [String] {
        let name = PrivatePlace.name(of: path)
        guard name.hasPrefix("*"), let folder = PrivatePlace.parent(of: path) else {
            return [path]
        }
        let names = (try? PinnedFolder(folder, .any).names()) ?? []
        return names.filter { $0.hasSuffix(name.dropFirst()) }.sorted().map { "\(folder)/\($0)" }
    }
}
