internal import CLinux
internal import Glibc

extension SystemCalls {
    /// An operation on the lock of one byte.
    package enum ByteLock: Sendable {
        case shared, exclusive, none
    }

    /// Locks one byte of an open file, unless another open file has a conflicting lock on it.
    ///
    /// The byte need not exist. The corresponding C function is `fcntl` with F_OFD_SETLK.
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
