internal import Glibc
internal import LanyardSecrets

/// What the kernel says about a running process. The corresponding folder is /proc/PID, proc(5).
package struct RunningProcess: Sendable {
    /// Its id.
    package let id: Int32
    /// When it started, in clock ticks after the machine did. Another process that gets the same id
    /// later has another one.
    package let startTime: UInt64
    /// The id of the process that started it.
    package let parent: Int32
    /// The path of its executable; nil if that was deleted or replaced, is not visible here, or if
    /// this process may not see it.
    package let executable: String?
    /// The systemd unit that it runs in, nil if there is none.
    package let unit: String?
    /// The terminal that controls it, such as `pts/3`, nil if there is none.
    package let terminal: String?

    /// Looks a process up.
    ///
    /// - Returns: Nil if it does not exist.
    package init?(_ id: Int32) {
        guard let stat = try? RunningProcess.contents("stat", of: id),
            let startTime = RunningProcess.startTime(in: stat),
            let parent: Int32 = RunningProcess.field(4, of: stat)
        else {
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
        self.parent = parent
        self.executable = executable
        self.unit = unit
        terminal = RunningProcess.field(7, of: stat).flatMap(RunningProcess.terminal(_:))
    }

    /// Finds the process that has an exclusive lock of flock(2) on an open file. The corresponding file
    /// is /proc/locks.
    ///
    /// - Returns: Nil if there is none, and where stat(2) returns another device than the kernel lists,
    ///   as on btrfs.
    package static func holdingLock(of descriptor: Int32) -> RunningProcess? {
        guard let status = try? SystemCalls.fstat(descriptor),
            let file = try? SystemCalls.open("/proc/locks", O_RDONLY)
        else {
            return nil
        }
        defer { SystemCalls.close(file) }
        guard let locks = try? SystemCalls.readToEnd(file, limit: 1 << 20) else {
            return nil
        }
        let text = locks.withBytes { ByteString(copying: $0).bytes }
        return holder(of: status.st_ino, on: status.st_dev, in: text).flatMap { RunningProcess($0) }
    }

    /// The name that it was started with, without folders; nil if it is unknown. The process can
    /// change it.
    package var name: String? {
        guard let arguments = try? RunningProcess.contents("cmdline", of: id),
            let program = arguments.split(separator: 0).first
        else {
            return nil
        }
        let path = String(decoding: program, as: UTF8.self)
        // A program that started itself again.
        return PrivatePlace.name(of: path == "/proc/self/exe" ? executable ?? path : path)
    }

    /// The path that names its program in lists and logs; nil if it is unknown.
    package var program: String? {
        executable.map { Installation.path(of: $0, startedAs: name ?? $0) }
    }

    /// Returns when a process started, nil if it does not exist.
    package static func startTime(of id: Int32) -> UInt64? {
        (try? contents("stat", of: id)).flatMap(startTime(in:))
    }

    /// The id of this process. The corresponding C function is `getpid`.
    package static var currentID: Int32 { getpid() }

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

    /// The process that started this one; shells that only run its command, `sh -c`, are passed over.
    package static var starter: RunningProcess? {
        var starter = RunningProcess(parentID)
        for _ in 0..<4 {
            guard let shell = starter, shell.runsCommand else {
                break
            }
            starter = RunningProcess(shell.parent)
        }
        return starter
    }

    /// Whether it is a shell with the option -c.
    private var runsCommand: Bool {
        guard let executable, let arguments = try? RunningProcess.contents("cmdline", of: id),
            ["sh", "dash", "bash", "ash", "busybox", "zsh", "ksh"].contains(
                PrivatePlace.name(of: executable))
        else {
            return false
        }
        return arguments.split(separator: 0, maxSplits: 2).dropFirst().first.map(Array.init)
            == Array("-c".utf8)
    }

    static func startTime(in stat: [UInt8]) -> UInt64? { field(22, of: stat) }

    /// Returns a field of /proc/PID/stat from the third on. The last parenthesis ends the program's
    /// name, the only field that may contain blanks.
    private static func field<Number: FixedWidthInteger>(
        _ number: Int, of stat: [UInt8]
    ) -> Number? {
        guard let name = stat.lastIndex(of: UInt8(ascii: ")")) else {
            return nil
        }
        let fields = stat[(name + 1)...].split(separator: UInt8(ascii: " "))
        return fields.count > number - 3
            ? Number(String(decoding: fields[number - 3], as: UTF8.self)) : nil
    }

    /// Returns the two parts of a device's number, makedev(3).
    private static func parts(of device: UInt) -> (major: UInt, minor: UInt) {
        (device >> 8 & 0xFFF | device >> 32 & ~0xFFF, device & 0xFF | device >> 12 & 0xFFFF_FF00)
    }

    /// Returns a terminal's name in /dev, nil for other kinds than a window's and the console's. The numbers
    /// are in Linux, Documentation/admin-guide/devices.txt.
    static func terminal(_ device: UInt32) -> String? {
        let (major, minor) = parts(of: UInt(device))
        return switch (major, minor) {
        case (136, _): "pts/\(minor)"
        case (4, 1..<64): "tty\(minor)"
        default: nil
        }
    }

    /// Returns the process that has an exclusive lock on a file, from the text of /proc/locks,
    /// proc_locks(5).
    static func holder(of inode: UInt, on device: UInt, in locks: [UInt8]) -> Int32? {
        let (major, minor) = parts(of: device)
        for line in locks.split(separator: UInt8(ascii: "\n")) {
            let fields = String(decoding: line, as: UTF8.self).split(separator: " ")
            guard fields.count > 5, fields[1] == "FLOCK", fields[3] == "WRITE" else {
                continue
            }
            let place = fields[5].split(separator: ":")
            if place.count == 3, UInt(place[0], radix: 16) == major,
                UInt(place[1], radix: 16) == minor, UInt(place[2]) == inode
            {
                return Int32(fields[4])
            }
        }
        return nil
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
