internal import Glibc

extension SystemCalls {
    /// Returns a name for the process that started this one, unique since the machine started: its
    /// number and, if readable, its start time. The corresponding file is /proc/PID/stat,
    /// proc_pid_stat(5).
    package static func parentProcess() -> String {
        let number = getppid()
        let status = try? contentsOfStat(of: number)
        return "\(number) \(status.flatMap(startTime) ?? "")"
    }

    private static func contentsOfStat(of process: pid_t) throws(SystemCallError) -> [UInt8] {
        let descriptor = try open("/proc/\(process)/stat", O_RDONLY)
        defer { close(descriptor) }
        return try read(descriptor, 4096, at: 0)
    }

    /// Returns field 22. The last parenthesis ends the program's name, the only field that may
    /// contain blanks.
    private static func startTime(_ stat: [UInt8]) -> String? {
        guard let name = stat.lastIndex(of: UInt8(ascii: ")")) else {
            return nil
        }
        let fields = stat[(name + 1)...].split(separator: UInt8(ascii: " "))
        return fields.count > 19 ? String(decoding: fields[19], as: UTF8.self) : nil
    }
}
