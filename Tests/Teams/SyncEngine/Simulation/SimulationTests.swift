import TestSupport
import SyncConformance
import Testing

@Suite("Simulation of a team") struct SimulationTests {
    /// Several small teams: what goes wrong with thousands of devices goes wrong with a few, if they do enough.
    @Test(arguments: 0..<6)
    func nothingIsLostAndAllBecomeEqual(_ number: UInt64) throws {
        try TeamSimulation.expectSuccess(
            TeamSimulation.Size(
                devices: 3 + Int(number) * 2, operations: 1000, items: 6 + Int(number)),
            number)
    }

    /// Each exchange in pieces of one or two records, and crashes between them.
    @Test(arguments: 0..<4)
    func nothingIsLostInPieces(_ number: UInt64) throws {
        let server = MemoryServer()
        server.pieceCount = 1 + Int(number) % 2
        try TeamSimulation.expectSuccess(
            TeamSimulation.Size(
                devices: 4 + Int(number), operations: 800, items: 12, pieceCount: 2),
            100 + number, on: server)
    }

    /// Members who sign what is not so stop no one, are named, and can be removed; then they go on.
    @Test(arguments: 0..<6)
    func whoLiesStopsNoOne(_ number: UInt64) throws {
        try TeamSimulation.expectSuccess(
            TeamSimulation.Size(
                devices: 5 + Int(number), operations: 600, items: 6, liars: 1 + Int(number) % 3),
            200 + number)
    }
}

extension TeamSimulation {
    /// Runs a team of the run's seed, and expects that everything promised came true.
    static func expectSuccess(
        _ size: Size, _ number: UInt64, on server: any RestorableServer = MemoryServer()
    ) throws {
        let simulation = try TeamSimulation(size, seed: SeededRandom.seed &+ number, on: server)
        try simulation.run()
        let failures = simulation.failures.prefix(5).map { $0.prefix(200) }
        #expect(failures.isEmpty, "LANYARD_TEST_SEED=\(SeededRandom.seed), team \(number)")
    }
}
