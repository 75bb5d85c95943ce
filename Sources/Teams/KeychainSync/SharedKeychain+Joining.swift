package import KeychainServices
internal import LinuxSystem
internal import LanyardSecrets
internal import SyncEngine

// How a keychain becomes a team's.
extension SharedKeychain {
    /// Creates a team for a keychain.
    ///
    /// - Parameters:
    ///   - team: The team's name.
    ///   - isForSynchronizable: Whether only synchronizable items are exchanged.
    /// - Throws: ``Status/duplicateKeychain`` if the keychain is shared already; what the transport and the store throw.
    package static func create(
        _ place: Place, _ store: any KeychainStore, team: String, address: String,
        isForSynchronizable: Bool, person: String, device name: String,
        connect: @escaping Connect
    ) throws(KeychainError) -> SharedKeychain {
        let lock = try lock(place)
        try DeviceCard.checkChosen(team)
        let device = try makeDevice(place, store, person: person, name: name, joining: nil)
        let first = try Roster.create(
            name: team, by: device.identity, key: try DeviceIdentity.makeSeed(),
            date: SystemCalls.now())
        let roster = try Roster(first)
        do throws(KeychainError) {
            let transport = try connect(address, roster.team)
            // The keys are stored before the server has the team: it could be of no use otherwise.
            let state = try SharedState.make(
                at: place, roster, address: address, isForSynchronizable: isForSynchronizable,
                under: device.fileKey)
            try transport.create()
            guard try transport.putRoster(first.bytes, at: .start) == .stored else {
                throw KeychainError(.duplicateKeychain, "the server has this team already")
            }
            return SharedKeychain(place, store, device, state, lock, connect: connect)
        } catch {
            undo(place, store, roster.team)
            throw error
        }
    }

    /// Removes what an attempt to share a keychain left.
    static func undo(_ place: Place, _ store: any KeychainStore, _ team: Identifier) {
        try? TeamDevice.remove(from: store)
        place.removeFiles(of: team)
    }

    /// Asks to join a team. An owner has to approve this device; the next exchange after that gets the items.
    ///
    /// - Parameters:
    ///   - code: That of the invitation.
    ///   - numbersDevice: Whether the device gets a number behind its name if that is taken.
    /// - Returns: The keychain, and this device's code for the owner.
    /// - Throws: ``Status/decode`` if the server shows another team, or not what the invitation names;
    ///   ``Status/duplicateKeychain`` if the keychain is shared already; ``Status/duplicateItem`` if the team has a
    ///   device of these names; what the transport and the store throw.
    package static func join(
        _ place: Place, _ store: any KeychainStore, address: String, code: String,
        isForSynchronizable: Bool, person: String, device name: String,
        numbersDevice: Bool = false, connect: @escaping Connect
    ) throws(KeychainError) -> SharedKeychain {
        let lock = try lock(place)
        let (transport, roster) = try reach(Invitation(code: code), place, address, connect)
        let device = try makeDevice(
            place, store, person: person, name: name, joining: roster,
            numbersDevice: numbersDevice)
        do throws(KeychainError) {
            let state = try SharedState.make(
                at: place, roster, address: address, isForSynchronizable: isForSynchronizable,
                under: device.fileKey)
            try transport.requestToJoin(device.identity.card, wait: wait)
            return SharedKeychain(place, store, device, state, lock, connect: connect)
        } catch {
            undo(place, store, roster.team)
            throw error
        }
    }

    /// Reads a team's roster from its server.
    static func reach(
        _ invitation: Invitation, _ place: Place, _ address: String, _ connect: Connect
    ) throws(KeychainError) -> (transport: any SyncTransport, roster: Roster) {
        do throws(KeychainError) {
            let transport = try connect(address, invitation.team)
            return (transport, try invitation.roster(from: transport))
        } catch {
            PrivatePlace.removeFolder(
                Place.transportFolder(of: invitation.team, stateFolder: place.stateFolder))
            throw error
        }
    }

    /// - Parameters:
    ///   - roster: The team that it joins; nil for a new one.
    ///   - numbersDevice: Whether it gets a number behind its name if that is taken.
    static func makeDevice(
        _ place: Place, _ store: any KeychainStore, person: String, name: String,
        joining roster: Roster?, numbersDevice: Bool = false
    ) throws(KeychainError) -> TeamDevice {
        if try TeamDevice.read(from: store) != nil {
            guard try !PrivatePlace.exists(place.file) else {
                throw KeychainError(
                    .duplicateKeychain,
                    "the keychain '\(place.name)' is shared with a team already",
                    hint: "lanyard team status --keychain \(place.name) shows with which one; "
                        + "lanyard team leave --keychain \(place.name) ends that")
            }
            // Left by an attempt that was interrupted.
            try TeamDevice.remove(from: store)
        }
        guard name != DeviceCard.recoveryKeyName else {
            throw KeychainError(.param, "only a recovery key can be called '\(name)'")
        }
        var name = name
        do throws(KeychainError) {
            // An owner in the team may have a name from before these rules.
            if roster?.present.contains(where: { $0.card.person == person }) != true {
                try DeviceCard.checkChosen(person)
            }
            try DeviceCard.checkChosen(name)
            if numbersDevice, let roster {
                name = roster.freeName(person: person, name: name)
            }
            try roster?.checkIsFree(person: person, name: name)
        } catch {
            if let roster {
                PrivatePlace.removeFolder(
                    Place.transportFolder(of: roster.team, stateFolder: place.stateFolder))
            }
            throw error
        }
        return try TeamDevice.make(person: person, name: name, in: store)
    }
}
