internal import CLinux
internal import Glibc
package import LanyardSecrets

extension SystemCalls {
    /// Keeps a secret's memory off the disk, as far as the limits allow. It stays locked until the
    /// process ends, because other secrets may be on the same page. The corresponding C function is
    /// `mlock`.
    package static func lockInMemory(_ secret: borrowing Secret) {
        secret.withBytes { bytes in
            // Safe: only the pages of the secret's own bytes; nothing is written.
            unsafe bytes.withAddress { start, count in
                _ = try? perform("mlock") { unsafe mlock(start, count) }
            }
        }
    }

    /// Returns whether this process may lock memory. The corresponding C functions are `mlock` and `munlock`.
    package static func canLockMemory() -> Bool {
        var byte: UInt8 = 0
        // Safe: only the page of a local variable; nothing is written.
        return unsafe withUnsafePointer(to: &byte) { byte in
            unsafe mlock(byte, 1) == 0 && munlock(byte, 1) == 0
        }
    }

    /// Gives the pages of the program and its libraries that can't be written back to the system. What is still
    /// needed comes from the page cache when it is next read.
    ///
    /// The corresponding C constant is `MADV_DONTNEED`.
    package static func releaseCode() {
        // Safe: each range is mapped as long as the callback runs, and its pages equal those of the file.
        _ = unsafe dl_iterate_phdr(
            { object, _, _ in
                let object = unsafe object!.pointee
                let page = UInt64(sysconf(Int32(_SC_PAGESIZE)))
                for number in unsafe 0..<Int(object.dlpi_phnum) {
                    let segment = unsafe object.dlpi_phdr[number]
                    guard segment.p_type == UInt32(PT_LOAD), segment.p_flags & UInt32(PF_W) == 0
                    else {
                        continue
                    }
                    let start = unsafe (object.dlpi_addr + segment.p_vaddr) / page * page
                    let end = unsafe object.dlpi_addr + segment.p_vaddr + segment.p_memsz
                    _ = unsafe madvise(
                        UnsafeMutableRawPointer(bitPattern: UInt(start)), Int(end - start),
                        MADV_DONTNEED)
                }
                return 0
            }, nil)
    }
}

extension Secret {
    /// Returns the same secret, with its memory kept off the disk like
    /// ``SystemCalls/lockInMemory(_:)``.
    package consuming func locked() -> Secret {
        SystemCalls.lockInMemory(self)
        return self
    }
}
