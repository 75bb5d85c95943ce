import TestSupport
import LanyardSecrets
import SyncConformance

@testable import SyncEngine

// Devices that join, leave and get other roles.
extension TeamSimulation {
    /// Lets the founder change the roster. After a restore everyone exchanges first: two rosters that grew
    /// apart can't be merged, as the note on restoring a server says.
    func changeRoster(
        _ body: (SyncEngine) throws(KeychainError) -> Void
    ) -> Bool {
        let founder = devices[0]
        if serverWentBack {
            let faults = network.faults
            network.faults = 0
            for _ in 0..<2 {
                for device in devices where !device.isGone {
                    let isAway = device.isAway
                    device.isAway = false
                    exchange(device)
                    device.isAway = isAway
                }
            }
            network.faults = faults
            serverWentBack = false
        }
        founder.isBusy = true
        defer { founder.isBusy = false }
        do {
            let engine = try engine(founder)
            _ = try founder.change(keepsOlder: random.chance(20)) {
                () throws(KeychainError) -> Bool? in
                try body(engine)
                return true
            }
            return true
        } catch let error as KeychainError {
            lastRefusal = "\(error.status): \(error)"
            if error.status == .decode, size.liars > 0 {
                count("who lies keeps others from joining")
            } else if error.status != .itemNotFound, error.status != .duplicateItem {
                refused(founder, error)
            }
        } catch {
            fail("\(error)")
        }
        return false
    }

    func join() {
        do {
            let identity = try asking ?? makeIdentity()
            let next = try makeIdentity()
            asking = next
            try network.server.requestToJoin(next.card, wait: { _ in })
            let role = random.chance(15) ? Role.reader : .member
            guard
                changeRoster({ engine throws(KeychainError) in try engine.add(identity.card, role) }
                )
            else {
                return
            }
            let team = devices[0].stored.roster.team
            let replica = try Replica(joining: team, from: network.server)
            let device =
                Device(
                    identity, replica, isWriter: size.writers == 100 || random.chance(size.writers),
                    skew: Int64(random.number(below: 72_000)) - 36_000)
            device.wasReader = role == .reader
            devices.append(device)
            count("joins")
        } catch {
            fail("joining: \(error)")
        }
    }

    func remove(_ device: Device) {
        guard device !== devices[0] else {
            return
        }
        if changeRoster({ engine throws(KeychainError) in try engine.remove([device.identity.id]) })
        {
            count("removals")
            device.isGone = true
        }
    }

    func setRole(_ device: Device) {
        guard device !== devices[0] else {
            return
        }
        let role = random.chance(50) ? Role.reader : .member
        if changeRoster({ engine throws(KeychainError) in
            try engine.setRole(of: device.identity.id, to: role)
        }) {
            device.wasReader = device.wasReader || role == .reader
            count("roles")
        }
    }
}
