import Foundation
import Glibc

/// The most memory that was in use at once, in bytes.
enum PeakMemory {
    /// Of this process, since it began.
    static var ofProcess: Int {
        get throws {
            let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
            let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
            return (line?.split(separator: " ").dropFirst().first).flatMap { Int($0) }.map {
                $0 << 10
            } ?? .max
        }
    }

    /// Of the largest process that this one waited for, or that one of those did.
    static var ofChildren: Int {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_CHILDREN.rawValue), &usage)
        return usage.ru_maxrss << 10
    }
}
