import Foundation
import Testing

/// Looks through all memory that a program can write, and what it starts, at the moments when it writes to
/// its standard output and when it ends.
struct MemoryScan {
    /// Where something was found.
    struct Copy: Decodable, CustomStringConvertible {
        let mapping: String
        let offset: Int
        /// Whether it is kept off the disk.
        let isLocked: Bool

        var description: String {
            "\(mapping)+\(String(offset, radix: 16))\(isLocked ? "" : " not locked")"
        }
    }

    /// What was in a process's memory at one moment.
    struct Moment: Decodable {
        let program: String
        let isEnd: Bool
        let scanned: Int
        /// By the names of what was looked for.
        let copies: [String: [Copy]]
    }

    /// What is looked for, in the forms that it may have.
    let words: [String: [Data]]

    /// The forms that something could have in memory.
    static func forms(_ text: String) -> [Data] {
        // Without the first bytes, which an allocator writes over when it takes memory back.
        let rest = String(text.dropFirst(16))
        let base64 = (0..<3).map { shift in
            let bytes = Array(rest.utf8.dropFirst(shift))
            return Data(Data(bytes.prefix(bytes.count / 3 * 3)).base64EncodedString().utf8)
        }
        return [Data(rest.utf8), Data(rest.utf16.flatMap { [UInt8($0 & 0xFF), 0] })] + base64
    }

    /// Runs a program that has to succeed.
    ///
    /// - Parameter shows: How a command is run, for example at a terminal.
    func moments(
        of arguments: [String], in home: ScratchHome,
        shows run: ([String]) async throws -> Void
    ) async throws -> [Moment] {
        let report = "\(home.path)/moments-\(UUID().uuidString)"
        let order = "\(home.path)/words-\(UUID().uuidString)"
        let encoded = words.mapValues { $0.map { $0.map { String(format: "%02x", $0) }.joined() } }
        try JSONEncoder().encode(encoded).write(to: URL(filePath: order))
        try await run(["python3", "-c", MemoryScan.tracer, order, report] + arguments)
        return try String(contentsOfFile: report, encoding: .utf8).split(separator: "\n").map {
            try JSONDecoder().decode(Moment.self, from: Data($0.utf8))
        }
    }

    /// Another process's memory is looked at from outside, through /proc/PID/mem, while it is stopped:
    /// a debugger's stop at each system call and just before the end.
    private static let tracer = """
        import ctypes, json, os, re, signal, sys
        words, report = json.load(open(sys.argv[1])), open(sys.argv[2], "w")
        words = {name: [bytes.fromhex(form) for form in forms] for name, forms in words.items()}
        libc = ctypes.CDLL(None, use_errno=True)
        libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
        TRACEME, CONT, SYSCALL, SETOPTIONS, GETREGS, EXIT = 0, 7, 24, 0x4200, 12, 6
        # SYSGOOD, FORK, VFORK, CLONE, EXEC, EXIT and EXITKILL
        OPTIONS = 1 | 2 | 4 | 8 | 0x10 | 0x40 | 0x100000
        def is_process(thread):
            with open(f"/proc/{thread}/status") as file:
                return f"Tgid:\\t{thread}\\n" in file.read()
        def look(pid, is_end):
            copies, scanned, mapping = {}, 0, None
            with open(f"/proc/{pid}/smaps") as smaps, open(f"/proc/{pid}/mem", "rb", 0) as memory:
                for line in smaps:
                    if match := re.match(r"([0-9a-f]+)-([0-9a-f]+) (\\S+) \\S+ \\S+ \\S+ *(.*)", line):
                        mapping = match
                    elif line.startswith("VmFlags:") and mapping[3].startswith("rw"):
                        start, end = int(mapping[1], 16), int(mapping[2], 16)
                        try:
                            memory.seek(start)
                            data = memory.read(end - start)
                        except (OSError, OverflowError):
                            continue
                        scanned += len(data)
                        for name, forms in words.items():
                            for form in forms:
                                at = data.find(form)
                                while at >= 0:
                                    copies.setdefault(name, []).append(
                                        {"mapping": mapping[4] or "memory", "offset": at,
                                         "isLocked": " lo" in line})
                                    at = data.find(form, at + 1)
            program = os.path.basename(os.readlink(f"/proc/{pid}/exe"))
            if program in ("lanyard-helper", "lanyard", "lanyard-secret-service"):
                with open(f"/proc/{pid}/cmdline") as file:
                    program = os.path.basename(file.read().split("\\0")[0])
            json.dump({"program": program, "isEnd": is_end, "scanned": scanned, "copies": copies},
                      report)
            report.write("\\n")
        first = os.fork()
        if first == 0:
            libc.ptrace(TRACEME, 0, None, None)
            os.kill(os.getpid(), signal.SIGSTOP)
            os.execvp(sys.argv[3], sys.argv[3:])
        os.waitpid(first, 0)
        libc.ptrace(SETOPTIONS, first, None, OPTIONS)
        libc.ptrace(SYSCALL, first, None, None)
        registers, inside, status = (ctypes.c_ulonglong * 27)(), {}, None
        while True:
            try:
                # __WALL
                pid, stop = os.waitpid(-1, 0x40000000)
            except ChildProcessError:
                break
            if not os.WIFSTOPPED(stop):
                if pid == first:
                    status = stop
                continue
            sent, event = os.WSTOPSIG(stop), stop >> 16
            if sent == signal.SIGTRAP | 0x80:
                inside[pid] = not inside.get(pid, False)
                libc.ptrace(GETREGS, pid, None, ctypes.addressof(registers))
                # orig_rax, rdi: write(2) to standard output, when it begins
                if inside[pid] and registers[15] == 1 and registers[14] == 1:
                    look(pid, False)
            elif event == EXIT:
                # The process, and not one of its further threads.
                if is_process(pid):
                    look(pid, True)
            elif event:
                inside[pid] = False
            own = event or sent in (signal.SIGTRAP, signal.SIGTRAP | 0x80, signal.SIGSTOP)
            # What it starts is given a second to answer: it stops at its end alone.
            libc.ptrace(SYSCALL if pid == first else CONT, pid, None, 0 if own else int(sent))
        sys.exit(os.waitstatus_to_exitcode(status))
        """
}
