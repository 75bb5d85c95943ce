import SyncPlugins
import TestSupport
import LanyardSecrets
import SyncConformance
import Testing

/// Several machines that push to one web server at once, each with a repository of its own.
@Suite(.enabled(if: ScratchGitServer.isServable, "there is no lighttpd")) struct GitTorture {
    private static func connect(_ address: String, _ folder: String) throws -> GitTransport {
        try GitTransport(
            SyncAddress(address, team: TransportCase.id(99), folder: folder, password: nil))
    }

    @Test func eightMachinesLoseNothing() async throws {
        try #require(ScratchGitServer.knowsPassword)
        let scratch = try ScratchFolder()
        let server = try ScratchGitServer(isRemote: true)
        let transport = try Self.connect(server.address, scratch.path)
        try TransportCase.begin(transport)
        await withTaskGroup { group in
            for machine in 0..<8 {
                group.addTask { [address = server.address, path = scratch.path] in
                    await #expect(processExitsWith: .success) {
                        [address = address as String, folder = "\(path)/\(machine)" as String] in
                        let transport = try Self.connect(address, folder)
                        transport.timeLimit = 60_000
                        var writer = RacingWriter(transport)
                        for _ in 0..<3 {
                            try writer.add()
                        }
                    }
                }
            }
        }
        #expect(try RacingWriter.sum(transport) == 24)
    }
}
