internal import ArgumentParser
internal import KeychainServices
internal import KeychainSync
internal import SyncEngine

extension Role: ExpressibleByArgument {
    /// Creates the role of a word of a command line.
    init?(argument: String) {
        self.init(name: argument)
    }

    static var allValueStrings: [String] { allCases.map(\.name) }
    // Else the parser takes the numbers of the roles for their names.
    static var allValueDescriptions: [String: String] { [:] }
}

extension SharedKeychain {
    /// The devices of the team, and those that ask to join.
    var cards: [DeviceCard] { roster.present.map(\.card) + requests }

    /// Returns the devices of the team that a user names: by person, by device, by both with a slash, or by
    /// the device's code or its beginning.
    ///
    /// - Throws: ``Status/itemNotFound`` if there is none; ``Status/param`` if it names one device, and fits
    ///   several.
    func devices(named text: String) throws(KeychainError) -> [DeviceCard] {
        let cards = DeviceCard.named(text, among: roster.present.map(\.card))
        guard !cards.isEmpty else {
            throw KeychainError(
                .itemNotFound, "the team has no device '\(text)'",
                hint: "lanyard team members\(option)")
        }
        guard cards.count == 1 || cards.allSatisfy({ $0.person == text }) else {
            let codes = cards.map { "\($0.code) (\($0.path))" }.joined(separator: ", ")
            throw KeychainError(
                .param, "several devices are called '\(text)'", hint: "use a code: \(codes)")
        }
        return cards
    }
}

extension DeviceCard {
    /// Returns the devices that a user may mean, all of them by the same kind of name.
    static func named(_ text: String, among cards: [DeviceCard]) -> [DeviceCard] {
        let kinds: [(DeviceCard) -> Bool] = [
            { SpokenCode.isSame(text, $0.code) },
            { $0.path == text },
            { $0.person == text },
            { $0.name == text },
            { SpokenCode.isBeginning(text, of: $0.code) },
        ]
        return kinds.lazy.map { cards.filter($0) }.first { !$0.isEmpty } ?? []
    }
}
