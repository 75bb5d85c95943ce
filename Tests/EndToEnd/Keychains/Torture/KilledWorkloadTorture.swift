import Foundation
import Testing
@testable import EndToEndRig

/// Whatever is killed at whatever moment: what was acknowledged is there, and nothing by halves.
@Suite(.timeLimit(.minutes(600)))
struct KilledWorkloadTorture {
    @Test func killed() async throws {
        let workload = TortureWorkload(home: try ScratchHome(), kills: true)
        let figures = try await workload.run(
            for: Torture.time(0.4), kills: Int(100 * Torture.minutes))
        try await workload.expectInOrder()
        // A change that is made now leaves nothing of those that were killed.
        try await workload.home.store(
            "protocol=https\nhost=last.example\nusername=ada\npassword=x\n")
        let left = try Snapshot(workload.home.data).contents.keys.sorted()
        #expect(left == ["login.keychain"], "\(left)")
        print("killed: \(figures.operations) operations, \(figures.killed) of them killed")
    }
}
