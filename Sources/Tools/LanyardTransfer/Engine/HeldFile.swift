internal import Glibc
internal import KeychainServices
internal import LinuxSystem

/// An open file that can be recognized again.
struct HeldFile {
    /// The file that the path's links lead to.
    let file: LinkedFile
    /// Its version when it was opened.
    let version: FileVersion
    /// Its status at that time.
    let status: FileStatus
    private let handle: Handle

    private final class Handle: Sendable {
        let descriptor: Descriptor

        init(_ number: Int32) {
            descriptor = Descriptor(owning: number)
        }
    }

    /// The descriptor, owned by this value.
    var descriptor: Int32 { handle.descriptor.number }

    /// Opens a file.
    ///
    /// - Parameter isForChange: Opens it for writing, too, and throws if it can't be replaced.
    init(_ path: String, isForChange: Bool) throws(KeychainError) {
        file = try LinkedFile(path)
        guard file.status != nil else {
            throw LinkedFile.notFound(path)
        }
        if isForChange {
            try file.checkReplaceable()
            try LinkedFile.checkChangeable(folder: PrivatePlace.folder(of: file.realPath))
        }
        do throws(SystemCallError) {
            handle = Handle(
                isForChange
                    ? try SystemCalls.openForChange(file.realPath)
                    : try SystemCalls.openForReading(file.realPath))
            version = try FileVersion(of: handle.descriptor.number)
            status = try SystemCalls.status(of: handle.descriptor.number)
        } catch {
            throw error.keychainError("can't open '\(path)'")
        }
    }

    /// Reads all of it.
    func read(limit: Int) throws(KeychainError) -> Secret {
        let size = status.size
        guard size <= limit else {
            throw PlainTextFile.tooLong("'\(file.path)'")
        }
        do throws(SystemCallError) {
            // Safe: `read` gets the size of the remaining memory.
            return try unsafe Secret(capacity: size + 1) { memory throws(SystemCallError) in
                var count = 0
                while count < memory.count {
                    let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: memory[count...])
                    let more = try unsafe SystemCalls.read(descriptor, rest, at: count)
                    guard more > 0 else {
                        break
                    }
                    count += more
                }
                return count
            }
        } catch {
            throw error.keychainError("can't read '\(file.path)'")
        }
    }

    /// Throws if another program has changed or replaced the file since it was opened.
    ///
    /// - Throws: ``Status/databaseLocked``.
    func checkUnchanged(_ bytes: borrowing Secret) throws(KeychainError) {
        let realPath = try LinkedFile(file.path).realPath
        let isSame: Bool
        do throws(SystemCallError) {
            let now = try FileVersion(of: descriptor)
            let atPath = try FileVersion(at: realPath)
            isSame = now == version && atPath == version
        } catch {
            throw error.keychainError("can't access '\(file.path)'")
        }
        guard isSame, try read(limit: PlainTextFile.limit).isEqual(to: bytes) else {
            throw KeychainError(
                .databaseLocked,
                "'\(file.path)' has changed in the meantime: nothing was removed",
                hint: "import it again")
        }
    }
}
