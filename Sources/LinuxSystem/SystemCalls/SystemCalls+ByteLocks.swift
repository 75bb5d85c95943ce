internal import CLinux
internal import Glibc

extension SystemCalls {
    /// What becomes of a lock on one byte.
    package enum ByteLock: Sendable {
        case shared, exclusive, none
    }

    /// Locks one byte of an open file, if no other open file has it locked in a way that excludes this.
    ///
    /// The byte need not be there. The corresponding C function is `fcntl` with F_OFD_SETLK.
    ///
    /// - Returns: Whether it was free.
    package static func lock(
        byte offset: Int64, of descriptor: Int32, _ lock: ByteLock
    ) throws(SystemCallError) -> Bool {
        let type =
            switch lock {
            case .shared: F_RDLCK
            case .exclusive: F_WRLCK
            case .none: F_UNLCK
            }
        do throws(SystemCallError) {
            _ = try perform("fcntl") { lanyard_lock_byte(descriptor, offset, Int16(type)) }
            return true
        } catch {
            if error.code == EAGAIN || error.code == EACCES {
                return false
            }
            throw error
        }
    }
}
