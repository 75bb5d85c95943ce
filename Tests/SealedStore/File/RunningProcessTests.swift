import Foundation
import ScratchFolders
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
