import Testing

@testable import KeychainServices

@Suite("Table of attributes") struct AttributeTests {
    @Test("every attribute has one row, and a name and a code of its own")
    func rows() {
        let rows = Attribute.table
        #expect(Set(rows.map(\.attribute)) == Set(Attribute.allCases))
        #expect(rows.count == Attribute.allCases.count)
        #expect(Set(rows.map { "\($0.name)" }).count == rows.count)
        #expect(Set(rows.map(\.code)).count == rows.count)
        #expect(Set(rows.compactMap { $0.jsonName.map { "\($0)" } }).count == rows.count - 1)
        for row in rows {
            #expect(Attribute(named: ByteString(row.name.bytes)) == row.attribute)
        }
        #expect(Attribute(named: "secret") == nil)
    }

    @Test(
        "a property reads the value of its attribute, in its form",
        arguments: Attribute.allCases)
    func properties(of attribute: Attribute) {
        var attributes = ItemAttributes()
        attributes[attribute] = value(attribute.row.form)
        let properties: [Attribute: Any?] = [
            .accessible: attributes.accessible, .accessControl: attributes.accessControl,
            .accessGroup: attributes.accessGroup, .synchronizable: attributes.synchronizable,
            .creationDate: attributes.creationDate,
            .modificationDate: attributes.modificationDate, .label: attributes.label,
            .account: attributes.account, .itemDescription: attributes.itemDescription,
            .comment: attributes.comment, .creator: attributes.creator, .type: attributes.type,
            .isInvisible: attributes.isInvisible, .isNegative: attributes.isNegative,
            .service: attributes.service, .generic: attributes.generic,
            .securityDomain: attributes.securityDomain, .server: attributes.server,
            .protocol: attributes.protocol,
            .authenticationType: attributes.authenticationType, .port: attributes.port,
            .path: attributes.path, .trustedApplications: attributes.trustedApplications,
        ]
        #expect(properties.count == Attribute.allCases.count)
        #expect(properties.filter { $0.value != nil }.map(\.key) == [attribute])
    }

    @Test("a value's bytes read back as that value", arguments: Attribute.allCases)
    func bytes(of attribute: Attribute) {
        let value = value(attribute.row.form)
        let bytes = [UInt8](room: value.byteCount) { value.append(to: &$0) }
        #expect(bytes.count == value.byteCount)
        #expect(AttributeValue(bytes.span, attribute.row.form, accessible: .always) == value)
    }

    @Test("the parts of an identity belong to its class, and an absent one counts as something")
    func primaryKeys() {
        for itemClass in [ItemClass.genericPassword, .internetPassword] {
            for part in itemClass.primaryKey {
                #expect(part.row.classes.contains(itemClass))
                #expect(part.row.absent != nil)
            }
        }
    }

    private func value(_ form: Attribute.Form) -> AttributeValue {
        switch form {
        case .text, .server, .data, .protocolType: .text("text")
        case .code: .code("code")
        case .flag: .flag(true)
        case .number: .number(258)
        case .date: .date(Timestamp(secondsSinceEpoch: 1 << 33))
        case .accessibility: .accessibility(.afterFirstUnlock)
        case .accessControl:
            .accessControl(AccessControl(accessible: .always, flags: .userPresence))
        }
    }
}
