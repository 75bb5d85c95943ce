internal import Glibc

/// What the kernel says about a running process. The corresponding folder is /proc/PID, proc(5).
package struct RunningProcess: Hashable, Sendable {
    /// Its id.
    package let id: Int32
    /// When it started, in clock ticks after the machine did. Another process that gets the same id
    /// later has another one.
    package let startTime: UInt64
    /// The path of its executable; nil if that was deleted or replaced, is not visible here, or if
    /// this process may not see it.
    package let executable: String?
    /// The systemd unit that it runs in, nil if there is none.
    package let unit: String?

    /// Looks a process up.
    ///
    /// - Returns: Nil if it does not exist.
    package init?(_ id: Int32) {
        guard let startTime = RunningProcess.startTime(of: id) else {
            return nil
        }
        let executable = RunningProcess.executable(of: id)
        let unit = (try? RunningProcess.contents("cgroup", of: id)).flatMap(
            RunningProcess.unit(in:))
        // The id may have gone to another process meanwhile.
        guard RunningProcess.startTime(of: id) == startTime else {
            return nil
        }
        self.id = id
        self.startTime = startTime
        self.executable = executable
        self.unit = unit
    }

    /// Returns when a process started, nil if it does not exist.
    package static func startTime(of id: Int32) -> UInt64? {
        (try? contents("stat", of: id)).flatMap(startTime(in:))
    }

    /// The id of the process that started this one. The corresponding C function is `getppid`.
    package static var parentID: Int32 { getppid() }

    /// A name for the process that started this one, unique since the machine started: its id and, if
    /// readable, its start time.
    package static var parentName: String {
        "\(parentID) \(startTime(of: parentID).map(String.init) ?? "")"
    }

    private static func executable(of id: Int32) -> String? {
        // The link of a deleted file has another text, and a process in another mount namespace may
        // have another file at the same path.
        guard let path = SystemCalls.programPath(of: id), path.hasPrefix("/"),
            PrivatePlace.areSame(path, "/proc/\(id)/exe")
        else {
            return nil
        }
        return path
    }

    /// Returns field 22 of /proc/PID/stat. The last parenthesis ends the program's name, the only
    /// field that may contain blanks.
    static func startTime(in stat: [UInt8]) -> UInt64? {
        guard let name = stat.lastIndex(of: UInt8(ascii: ")")) else {
            return nil
        }
        let fields = stat[(name + 1)...].split(separator: UInt8(ascii: " "))
        return fields.count > 19 ? UInt64(String(decoding: fields[19], as: UTF8.self)) : nil
    }

    /// Returns the innermost service or scope in the text of /proc/PID/cgroup, cgroups(7): of the
    /// unified hierarchy, otherwise of systemd's own.
    static func unit(in cgroup: [UInt8]) -> String? {
        var unified: String?
        var ofSystemd: String?
        for line in cgroup.split(separator: UInt8(ascii: "\n")) {
            let fields = String(decoding: line, as: UTF8.self).split(
                separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard fields.count == 3 else {
                continue
            }
            let unit = fields[2].split(separator: "/").last {
                $0.hasSuffix(".service") || $0.hasSuffix(".scope")
            }
            if fields[1].isEmpty {
                unified = unit.map(String.init)
            } else if fields[1] == "name=systemd" {
                ofSystemd = unit.map(String.init)
            }
        }
        return unified ?? ofSystemd
    }

    private static func contents(
        _ name: String, of id: Int32
    ) throws(SystemCallError) -> [UInt8] {
        let descriptor = try SystemCalls.open("/proc/\(id)/\(name)", O_RDONLY)
        defer { SystemCalls.close(descriptor) }
        return try SystemCalls.read(descriptor, 16 << 10, at: 0)
    }
}
