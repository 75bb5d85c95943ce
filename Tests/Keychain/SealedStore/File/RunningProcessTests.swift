import Foundation
import TestSupport
import Testing

@testable import LinuxSystem

@Suite("Running processes") struct RunningProcessTests {
    @Test func thisOneIsKnown() throws {
        let this = try #require(RunningProcess(getpid()))
        #expect(this.id == getpid())
        #expect(this.executable == SystemCalls.realPath("/proc/self/exe"))
        #expect(this.startTime == RunningProcess.startTime(of: getpid()))
        let parent = try #require(RunningProcess(RunningProcess.parentID))
        #expect(parent.startTime <= this.startTime)
        #expect(this.parent == parent.id)
    }

    @Test func oneThatEndedIsNone() throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/true")
        try process.run()
        process.waitUntilExit()
        #expect(RunningProcess(process.processIdentifier) == nil)
    }

    /// The program that now has the path is another one.
    @Test func aReplacedExecutableIsUnknown() throws {
        let folder = FileManager.default.temporaryDirectory.appending(
            path: UUID().uuidString, directoryHint: .notDirectory)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let program = folder.appending(path: "sleep (deleted)").resolvingSymlinksInPath()
        try ScratchFolder.copyProgram("/bin/sleep", to: program.path)
        let process = Process()
        process.executableURL = program
        process.arguments = ["60"]
        try process.run()
        defer { process.terminate() }
        #expect(RunningProcess(process.processIdentifier)?.executable == program.path)
        try FileManager.default.removeItem(at: program)
        try FileManager.default.copyItem(atPath: "/bin/sleep", toPath: program.path)
        let replaced = try #require(RunningProcess(process.processIdentifier))
        #expect(replaced.executable == nil)
    }

    /// As the Secret Service starts its own program again.
    @Test func aProgramThatStartedItselfHasItsName() throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/bash")
        process.arguments = ["-c", "exec -a /proc/self/exe sleep 60"]
        try process.run()
        defer { process.terminate() }
        // It is bash until the other program replaces it.
        for _ in 0..<500 where RunningProcess(process.processIdentifier)?.name != "sleep" {
            usleep(10_000)
        }
        #expect(RunningProcess(process.processIdentifier)?.name == "sleep")
    }

    @Test func theOneWithALockIsKnown() throws {
        let file = Descriptor(owning: try SystemCalls.makeMemoryFile([1].span))
        #expect(RunningProcess.holdingLock(of: file.number) == nil)
        #expect(try SystemCalls.lock(file.number, isShared: true))
        #expect(RunningProcess.holdingLock(of: file.number) == nil)
        #expect(try SystemCalls.lock(file.number))
        let holder = try #require(RunningProcess.holdingLock(of: file.number))
        #expect(holder.id == getpid())
        #expect(holder.name == CommandLine.arguments[0].split(separator: "/").last.map(String.init))
    }

    @Test(
        arguments: [
            ("1: FLOCK  ADVISORY  WRITE 27 fe:0a:16220294 0 EOF\n", 27),
            (
                "1: POSIX  ADVISORY  WRITE 3 fe:0a:16220294 0 0\n2: FLOCK  ADVISORY  WRITE 4 fe:0a:16220294 0 EOF",
                4
            ),
            ("1: FLOCK  ADVISORY  READ  27 fe:0a:16220294 0 EOF\n", nil),
            ("1: FLOCK  ADVISORY  WRITE 27 fe:00:16220294 0 EOF\n", nil),
            ("1: FLOCK  ADVISORY  WRITE 27 fe:0a:1622029 0 EOF\n", nil),
            ("1: -> FLOCK  ADVISORY  WRITE 27 fe:0a:16220294 0 EOF\n", nil),
            ("1: FLOCK  ADVISORY  WRITE 27\n\n::", nil), ("", nil),
        ] as [(String, Int32?)])
    func aLockIsFound(_ locks: String, _ holder: Int32?) {
        #expect(
            RunningProcess.holder(of: 16_220_294, on: 0xFE0A, in: Array(locks.utf8)) == holder)
    }

    @Test(
        arguments: [
            (34816, "pts/0"), (34819, "pts/3"), (0x10_8801, "pts/257"), (1025, "tty1"), (1088, nil),
            (0, nil), (1280, nil),
        ] as [(UInt32, String?)])
    func aTerminalHasAName(_ device: UInt32, _ name: String?) {
        #expect(RunningProcess.terminal(device) == name)
    }

    @Test func theStarterIsKnown() {
        #expect(RunningProcess.starter != nil)
    }

    @Test(arguments: [
        ("0::/user.slice/user-1000.slice/user@1000.service/app.slice/gh.service\n", "gh.service"),
        ("0::/user.slice/user-1000.slice/session-2.scope\n", "session-2.scope"),
        ("0::/system.slice/docker-0a.scope/init\n", "docker-0a.scope"),
        ("0::/system.slice/a:b.service\n", "a:b.service"),
        ("9:name=systemd:/system.slice/cron.service\n8:pids:/x.service\n0::/\n", "cron.service"),
        ("0::/new.service\n9:name=systemd:/old.service\n", "new.service"),
        ("9:name=systemd:/\n8:pids:/x.service\n0::/\n", nil),
        ("0::/user.slice", nil), ("0::/.slice/service", nil), ("", nil), ("\n::\n0:", nil),
    ])
    func aUnitIsFoundInControlGroups(_ text: String, _ unit: String?) {
        #expect(RunningProcess.unit(in: Array(text.utf8)) == unit)
    }

    @Test(arguments: [
        ("1 (a b) c) S 0 1 1 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 77 8 9", 77),
        ("1 (a) S 0 1", nil), ("1", nil), ("", nil),
    ])
    func theStartTimeFollowsTheName(_ text: String, _ time: UInt64?) {
        #expect(RunningProcess.startTime(in: Array(text.utf8)) == time)
    }
}
