import SyncConformance
import Testing

@Suite("Server in memory") struct MemoryServerTests {
    @Test(arguments: TransportCase.allCases) func conforms(_ rule: TransportCase) throws {
        let server = MemoryServer()
        try rule.run { server }
    }
}
