import SyncConformance
import Testing

@Suite("Hostile server: going back, replaying and leaving out") struct HostileServerTests {
    @Test(arguments: HostileServerCase.allCases) func inMemory(_ lie: HostileServerCase) throws {
        let server = MemoryServer()
        try lie.run(server) { server }
    }

    @Test(arguments: HostileServerCase.allCases) func inAFolder(_ lie: HostileServerCase) throws {
        let server = try FolderServer()
        try lie.run(server) { server }
    }
}
