import TestSupport
import LanyardSecrets
import SyncConformance

@testable import SyncEngine

// What is promised.
extension TeamSimulation {
    /// Whether a version replaces a change, perhaps through one of a member who lies, as any member may.
    func isReplaced(_ id: Int64, by version: ItemVersion) -> Bool {
        size.liars > 0
            && numbers[id].map { version.context[$0.device] >= $0.counter } ?? false
    }

    func settle() throws {
        network.faults = 0
        for device in devices {
            device.isAway = false
        }
        var restless: [String] = []
        for round in 0..<12 {
            restless = []
            var isQuiet = true
            // Who lies never is: it signs anew what the others set aside.
            for device in devices where !device.isGone && !device.isLiar {
                let wait = counts["who joins waits"]
                if exchange(device), counts["who joins waits"] == wait {
                    isQuiet = false
                    restless.append("\(device.identity.card.person) \(device.result)")
                }
            }
            if isQuiet {
                count("rounds until quiet: \(round)")
                return
            }
        }
        fail("it does not become quiet: \(restless)")
    }

    func check() throws {
        let founder = devices[0].stored
        let items = try founder.items
        for device in devices where !device.isGone {
            // Nothing takes away records that were made up after a removal.
            let findings = device.findings.filter {
                if case .recordIsForged = $0 { size.liars == 0 } else { true }
            }
            if !findings.isEmpty {
                fail(
                    "\(device.identity.card.person) finds \(findings.map { "\($0)".prefix(60) }) in the end"
                )
            }
            if try device.stored.items != items {
                fail("\(device.identity.card.person) has other items, \(device.result)")
            }
            if device.stored.roster.lastDigest != founder.roster.lastDigest {
                fail("\(device.identity.card.person) has another roster")
            }
        }
        for (id, change) in changes where acknowledged.contains(id) {
            // Who lies can overwrite what only a removed device has.
            let maker = devices.first { $0.identity.id == numbers[id]?.device }
            guard size.liars == 0 || maker?.isGone != true else {
                continue
            }
            let versions = items[change.record]?.versions ?? []
            let isThere = versions.contains {
                let other = TeamSimulation.id(of: $0)
                return other == id || changes[other]?.known.contains(id) == true
                    || isReplaced(id, by: $0)
            }
            if !isThere {
                fail("change \(id) is lost")
            }
        }
        if network.oldKeys > 0 {
            fail("\(network.oldKeys) records were stored under an older key")
        }
        // A device that joins now gets the same.
        do {
            let identity = try makeIdentity()
            guard
                changeRoster({ engine throws(KeychainError) in
                    try engine.add(identity.card, .member)
                })
            else {
                return fail("nothing can join")
            }
            let replica = try Replica(
                joining: founder.roster.team, from: network.server)
            let last = Device(identity, replica, skew: 0)
            exchange(last)
            if try last.stored.items != founder.items {
                fail("a new device gets other items, \(last.result)")
            }
        } catch {
            fail("\(error)")
        }
    }
}
