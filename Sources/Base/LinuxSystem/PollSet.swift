internal import Glibc
package import LanyardSecrets

/// The descriptors that are waited for together. The corresponding C function is `poll`.
package struct PollSet {
    private var entries: [pollfd] = []
    private var indices: [Int32: Int] = [:]

    package init() {}

    /// Adds a descriptor; without reading and writing, only its end counts.
    package mutating func add(_ descriptor: Int32, reading: Bool = false, writing: Bool = false) {
        let events = (reading ? POLLIN : 0) | (writing ? POLLOUT : 0)
        indices[descriptor] = entries.count
        entries.append(pollfd(fd: descriptor, events: Int16(events), revents: 0))
    }

    /// Waits until something happens to one of them.
    ///
    /// - Parameter milliseconds: The longest wait; nil for none.
    /// - Throws: ``Status/io``.
    package mutating func wait(milliseconds: Int64?) throws(KeychainError) {
        let time = milliseconds.map { Int32(clamping: $0) } ?? -1
        // Safe: the count is that of the entries.
        let result = unsafe poll(&entries, nfds_t(entries.count), time)
        guard result != -1 || errno == EINTR else {
            throw KeychainError(.io, "can't wait for events")
        }
        if result == -1 {
            for index in entries.indices {
                entries[index].revents = 0
            }
        }
    }

    /// Returns whether something happened to a descriptor.
    package func isReady(_ descriptor: Int32) -> Bool {
        indices[descriptor].map { entries[$0].revents != 0 } ?? false
    }
}
