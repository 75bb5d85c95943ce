import LanyardTransfer
import KeychainServices
import Testing

/// Documents that people and other programs wrote.
@Suite("Export document") struct ExportDocumentTests {
    /// The places of items and the reasons of what was skipped.
    private func read(_ text: String) throws -> [String] {
        var lines: [String] = []
        try ExportDocument().read(Secret(text)) { record throws(KeychainError) in
            let place = record.place
            switch record.content {
            case .item(let item):
                let name = item.attributes.service ?? item.attributes.server ?? ""
                lines.append("\(place): \(item.itemClass) \(name) \(item.secret.count)")
            case .skipped(let reason, _): lines.append("\(place): \(reason)")
            case .failed, .shadowed, .without: lines.append("\(place): shadowed")
            }
        }
        return lines
    }

    private func document(_ items: String, version: Int = 1) -> String {
        "{\"format\":\"lanyard-export\",\"version\":\(version),\"created\":1,\"items\":[\(items)]}"
    }

    private static let item = """
        {"class": "generic-password", "attributes": {"service": "x"}, "secret": "abc"}
        """

    @Test func anyOrderAndUnknownMembers() throws {
        let text = """
            { "note": [1, {"a": null}], "items": [
                {"secret": {"base64": "AP8="}, "attributes": {"server": "h", "new": 1}, "new": {},
                 "class": "internet-password"},
                {"secret": "", "class": "generic-password", "attributes": {}}
              ], "version": 1, "format": "lanyard-export" }
            """
        #expect(try read(text) == ["item 1: inet h 2", "item 2: genp  0"])
        #expect(try read(document("")) == [])
    }

    @Test(arguments: [
        (
            "{\"class\":\"identity\",\"attributes\":{},\"secret\":\"\"}",
            "items of its class can't be stored"
        ),
        (
            "{\"class\":\"generic-password\",\"attributes\":{\"server\":\"s\"},\"secret\":\"\"}",
            "an item of class 'genp' has no attribute server"
        ),
        (
            """
            {"class":"generic-password","secret":"","attributes":{"accessible":"aku",\
            "synchronizable":true}}
            """, "an item that stays on this machine can't be synchronizable"
        ),
        (
            """
            {"class":"generic-password","secret":"",\
            "attributes":{"accessControl":{"accessible":"ak","flags":2}}}
            """, "Lanyard can't check fingers, faces or companion devices"
        ),
    ])
    func whatCanNotBeKeptIsSkipped(item: String, reason: String) throws {
        let text = document("\(item),\(ExportDocumentTests.item)")
        #expect(try read(text) == ["item 1: \(reason)", "item 2: genp x 3"])
    }

    @Test func aSecretThatIsTooLongIsSkipped() throws {
        let long = String(repeating: "x", count: Keychain.secretLimit + 1)
        let item = "{\"class\":\"generic-password\",\"attributes\":{},\"secret\":\"\(long)\"}"
        #expect(try read(document(item)) == ["item 1: the secret is longer than 2 MiB"])
    }

    /// Nothing is handed out of a document that has an error anywhere.
    @Test(arguments: [
        "", "{", "[]", "null", "{}", "{\"items\":[]}",
        "{\"format\":\"lanyard-export\",\"items\":[]}",
        "{\"format\":\"lanyard-export\",\"version\":1}",
        "{\"format\":\"lanyard-export\",\"version\":0,\"items\":[]}",
        "{\"format\":\"lanyard-export\",\"version\":\"1\",\"items\":[]}",
        "{\"format\":\"another\",\"version\":1,\"items\":[]}",
        "{\"format\":\"lanyard-export\",\"version\":1,\"items\":{}}",
        "ITEM,", "ITEM,1", "ITEM,{}",
        "ITEM,{\"class\":\"generic-password\",\"attributes\":{}}",
        "ITEM,{\"class\":\"generic-password\",\"secret\":\"\"}",
        "ITEM,{\"attributes\":{},\"secret\":\"\"}",
        "ITEM,{\"class\":\"generic-password\",\"attributes\":{},\"secret\":1}",
        "ITEM,{\"class\":\"generic-password\",\"attributes\":{},\"secret\":{\"base64\":\"A\"}}",
        "ITEM,{\"class\":\"generic-password\",\"attributes\":{},\"secret\":{}}",
        "ITEM,{\"class\":\"generic-password\",\"attributes\":{\"accessible\":\"x\"},\"secret\":\"\"}",
        "ITEM,{\"class\":\"generic-password\",\"attributes\":{\"port\":70000},\"secret\":\"\"}",
        "ITEM,{\"class\":\"generic-password\",\"attributes\":{\"creator\":\"abc\"},\"secret\":\"\"}",
    ])
    func whatIsNoDocument(text: String) {
        let isItems = text.hasPrefix("ITEM")
        let text =
            isItems
            ? document(text.replacing("ITEM", with: ExportDocumentTests.item)) : text
        var count = 0
        #expect(throws: KeychainError(.decode)) {
            try ExportDocument().read(Secret(text)) { _ throws(KeychainError) in count += 1 }
        }
        #expect(count == 0)
    }

    @Test func aNewerVersionIsRefusedWhateverStandsInIt() {
        #expect(throws: KeychainError(.wrongVersion)) {
            try read(document("{\"class\":7}", version: 2))
        }
    }

    @Test func whatTheBodyThrowsEndsTheReading() {
        var count = 0
        #expect(throws: KeychainError(.diskFull)) {
            let text = document("\(ExportDocumentTests.item),\(ExportDocumentTests.item)")
            try ExportDocument().read(Secret(text)) { _ throws(KeychainError) in
                count += 1
                throw KeychainError(.diskFull)
            }
        }
        #expect(count == 1)
    }
}
