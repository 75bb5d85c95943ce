import Foundation
import SyncConformance
import SyncEngine
import Testing

/// 25 teams of 40 devices with 4,000 operations each: 1,000 devices and 100,000 operations. `make torture` sets
/// TORTURE_TEAMS; LANYARD_TEST_SEED repeats a run.
@Suite(.timeLimit(.minutes(60)), .enabled(if: tortureTeams > 0))
struct TeamTorture {
    @Test(arguments: 0..<UInt64(tortureTeams))
    func nothingIsLostInManyLargeTeams(_ number: UInt64) throws {
        try TeamSimulation.expectSuccess(
            TeamSimulation.Size(devices: 40, operations: 4000, items: 60), 1000 + number)
    }

    /// One team of 1,000 devices, of which some 50 change items and all read them: each device checks the
    /// signature of each change itself.
    @Test func nothingIsLostInOneTeamOfAThousandDevices() throws {
        try TeamSimulation.expectSuccess(
            TeamSimulation.Size(devices: 1000, operations: 4000, items: 60, writers: 5), 2000)
    }

    /// Ten minutes of teams with members who lie.
    @Test func whoLiesStopsNoOneForLong() throws {
        let end = ContinuousClock.now + .seconds(600)
        var number = 0
        while ContinuousClock.now < end {
            try TeamSimulation.expectSuccess(
                TeamSimulation.Size(
                    devices: 5 + number % 8, operations: 1200, items: 4 + number % 9,
                    pieceCount: number % 4 == 0 ? 2 : SyncPiece.count, liars: 1 + number % 4),
                4000 + UInt64(number))
            number += 1
        }
    }

    /// Through files, which are replaced and locked.
    @Test func nothingIsLostInAFolder() throws {
        try TeamSimulation.expectSuccess(
            TeamSimulation.Size(devices: 8, operations: 2000, items: 20), 3000, on: FolderServer())
    }
}

private let tortureTeams: Int = {
    let given = ProcessInfo.processInfo.environment["TORTURE_TEAMS"]
    return given.flatMap { Int($0) } ?? 0
}()
