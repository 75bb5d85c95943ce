import TestSupport
import LanyardSecrets
import SyncConformance

@testable import SyncEngine

// Hostile members.
extension TeamSimulation {
    func lie() throws {
        let liar = random.element(of: liars)
        let member = HostileMember(
            identity: liar.identity, replica: liar.stored, server: network.server)
        try member.lie(&random)
        count("lies")
    }

    /// Removes all who lie, whatever the server has of them, and lets them go on.
    func removeLiars() throws {
        // The answer to a removal may have been lost.
        let roster = devices[0].stored.roster
        for liar in liars where roster.devices[liar.identity.id]?.role == nil {
            liar.isGone = true
        }
        let isNamed = !named.isDisjoint(with: liars.map(\.identity.id))
        // What a reader or a removed member signs is forged, whoever stored it.
        if !isNamed, liars.allSatisfy({ !$0.isGone && !$0.wasReader }) {
            fail("no one is named after \(counts["lies", default: 0]) lies")
        }
        for liar in liars where !liar.isGone {
            if random.chance(50) {
                try lie()
            }
            guard
                changeRoster({ engine throws(KeychainError) in try engine.remove([liar.identity.id])
                })
            else {
                fail("\(liar.identity.card.person) can't be removed: \(lastRefusal)")
                continue
            }
            liar.isGone = true
            count("removals")
        }
        for _ in 0..<(size.operations / 4) {
            network.faults = 1
            if random.chance(20) {
                try lie()
            }
            step()
        }
        try settle()
    }

    func note(_ findings: Set<SyncReport.Finding>) {
        for finding in findings {
            switch finding {
            // Who lies can overwrite what others stored, and what proves it, until they give it back.
            case .changeContradicts(let card), .changesAreMissing(let card),
                .numberIsUsedTwice(let card), .headIsOlder(let card):
                named.insert(card.id)
            case .serverIsOlder, .recordIsForged, .contentsAreWrong, .rosterHasForgedEntries,
                .rosterIsFlooded, .changeOfMembersIsOverruled, .changeOfMembersIsUnexplained,
                .keyIsMissing, .keysAreHidden, .changesAreDropped:
                break
            }
        }
    }
}
