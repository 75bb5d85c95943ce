import LanyardSecrets
import Testing

@testable import SyncEngine

@Suite("Names of devices and their owners") struct NameTests {
    @Test(arguments: [
        "ada", "Ada Lovelace", "ada's-laptop_2.example", "Zoë", "ада", "Ольга-2", "日本語 PC", "한국어",
        "نيما", "می\u{200C}خواهم", "🐨",
    ]) func anOrdinaryNameIsChosen(_ name: String) throws {
        try DeviceCard.checkChosen(name)
    }

    @Test(arguments: [
        "", " ada", "ada ", "\u{A0}ada", "ada\u{3000}", "ada\u{200B}", "\u{200D}ada", "a\u{200B}da",
        "a\u{2003}da", "ada/laptop", "ada\u{2215}laptop", "laptop (this one)", "laptop [1]", "{x}",
        "<x>",
        "laptop（1）", "a\nb", "\u{202E}ada",
    ]) func aNameThatMisleadsIsRefused(_ name: String) {
        #expect(throws: KeychainError(.param)) { try DeviceCard.checkChosen(name) }
    }

    /// A roster may have them from before.
    @Test(arguments: [" ada", "ada/laptop", "laptop (this one)"]) func itIsStillRead(
        _ name: String
    ) throws {
        let card = try DeviceIdentity(
            person: name, name: name, seed: DeviceIdentity.makeSeed()
        ).card
        var writer = ByteWriter()
        card.append(to: &writer)
        var reader = ByteReader(writer.bytes)
        #expect(try DeviceCard(reading: &reader) == card)
    }

    @Test(arguments: [
        ("ada", false), ("ада", false), ("\u{430}da", true), ("ad\u{430}", true), ("αda", true),
        ("ada-2.example (x)", false), ("Zoe\u{308}", false), ("日本語 PC", false),
        ("ひらがなカタカナ漢字", false),
        ("한국어 pc", false), ("日本а", true), ("𝐚da", true), ("𝐚𝐝𝐚", false), ("123", false),
        ("ɑda", true),
    ]) func mixedScriptsAreFound(_ name: String, _ isMixed: Bool) {
        #expect(NameScript.isMixed(name) == isMixed)
    }

    @Test func aScriptOfNoOtherNameIsUnusual() throws {
        func card(_ person: String) throws -> DeviceCard {
            try DeviceIdentity(
                person: person, name: "laptop", seed: DeviceIdentity.makeSeed()
            ).card
        }
        let team = try ["ada", "grace"].map(card)
        #expect(try card("ада").unusualScripts(among: team) == [.cyrillic])
        #expect(try card("𝐚𝐝𝐚").unusualScripts(among: team) == [.other])
        #expect(try card("lin").unusualScripts(among: team) == [])
        #expect(try card("42").unusualScripts(among: team) == [])
        #expect(try card("ада").unusualScripts(among: team + [card("Ольга")]) == [])
        // A second device of the same person.
        #expect(try card("ada").unusualScripts(among: [team[0]]) == [])
    }
}
