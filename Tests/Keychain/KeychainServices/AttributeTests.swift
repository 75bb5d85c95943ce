import Testing

@testable import KeychainServices

@Suite("Table of attributes") struct AttributeTests {
    @Test("every attribute has one row, and a name and a code of its own")
    func rows() {
        let rows = Attribute.table
        #expect(Set(rows.map(\.attribute)) == Set(Attribute.allCases))
        #expect(rows.count == Attribute.allCases.count)
        #expect(Set(rows.map { "\($0.name)" }).count == rows.count)
        for itemClass in ItemClass.stored {
            let codes = rows.filter { $0.classes.contains(itemClass) }.compactMap(\.code)
            #expect(Set(codes).count == codes.count)
        }
        let jsonNames = rows.compactMap { $0.jsonName.map { "\($0)" } }
        #expect(Set(jsonNames).count == jsonNames.count)
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
        .merging(certificateProperties(attributes)) { one, _ in one }
        .merging(keyProperties(attributes)) { one, _ in one }
        #expect(properties.count == Attribute.allCases.count)
        #expect(properties.filter { $0.value != nil }.map(\.key) == [attribute])
    }

    private func certificateProperties(_ attributes: ItemAttributes) -> [Attribute: Any?] {
        [
            .certificateType: attributes.certificateType,
            .certificateEncoding: attributes.certificateEncoding, .subject: attributes.subject,
            .issuer: attributes.issuer, .serialNumber: attributes.serialNumber,
            .subjectKeyID: attributes.subjectKeyID, .publicKeyHash: attributes.publicKeyHash,
            .subjectValues: attributes.subjectValues, .emailAddresses: attributes.emailAddresses,
            .notValidBefore: attributes.notValidBefore, .notValidAfter: attributes.notValidAfter,
        ]
    }

    private func keyProperties(_ attributes: ItemAttributes) -> [Attribute: Any?] {
        [
            .keyClass: attributes.keyClass, .keyType: attributes.keyType,
            .keySizeInBits: attributes.keySizeInBits,
            .effectiveKeySize: attributes.effectiveKeySize,
            .applicationLabel: attributes.applicationLabel,
            .applicationTag: attributes.applicationTag, .isPermanent: attributes.isPermanent,
            .canEncrypt: attributes.canEncrypt, .canDecrypt: attributes.canDecrypt,
            .canDerive: attributes.canDerive, .canSign: attributes.canSign,
            .canVerify: attributes.canVerify, .canWrap: attributes.canWrap,
            .canUnwrap: attributes.canUnwrap,
        ]
    }

    @Test("a number has two bytes, or four if it needs them")
    func numbers() {
        for (number, count) in [(0, 2), (65_535, 2), (65_536, 4), (UInt32.max, 4)] {
            let value = AttributeValue.number(number)
            let bytes = [UInt8](room: value.byteCount) { value.append(to: &$0) }
            #expect(bytes.count == count)
            #expect(AttributeValue(bytes.span, .number, accessible: .always) == value)
        }
        let long: [UInt8] = [0, 0, 0, 1]
        #expect(AttributeValue(long.span, .number, accessible: .always) == nil)
        #expect(AttributeValue(long.span, .port, accessible: .always) == nil)
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
        for itemClass in ItemClass.stored {
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
        case .number, .port: .number(258)
        case .date: .date(Timestamp(secondsSinceEpoch: 1 << 33))
        case .accessibility: .accessibility(.afterFirstUnlock)
        case .accessControl:
            .accessControl(AccessControl(accessible: .always, flags: .userPresence))
        }
    }
}
