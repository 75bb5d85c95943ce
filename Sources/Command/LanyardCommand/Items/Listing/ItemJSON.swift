internal import KeychainServices
internal import StrictJSON

extension JSONWriter {
    /// Writes an item's attributes as an object's members, those that are present.
    ///
    /// Part of the stable output: see lanyard-list(1), "JSON".
    mutating func members(
        of attributes: ItemAttributes, _ itemClass: ItemClass
    ) throws(KeychainError) {
        try member(
            "class", itemClass == .internetPassword ? "internet-password" : "generic-password")
        try member("name", attributes.name)
        // A zero number that means none and a flag that is not set are left out.
        for row in Attribute.table {
            if let name = row.jsonName, let value = attributes[row.attribute],
                value.text != nil || value != row.absent
            {
                try member(name, value, row)
            }
        }
        try members(of: attributes.trustedApplications ?? [])
    }

    private mutating func members(
        of applications: [TrustedApplication]
    ) throws(KeychainError) {
        guard !applications.isEmpty else {
            return
        }
        try member(objects: "trustedApplications", of: applications) {
            writer, application throws(KeychainError) in
            try writer.member("path", application.path)
            try writer.member("owner", Int(application.owner))
        }
    }

    private mutating func member(
        _ name: StaticString, _ value: AttributeValue, _ row: Attribute.Row
    ) throws(KeychainError) {
        let name = ByteString(name.bytes)
        switch value {
        case .text(let data) where row.form == .data:
            try member(name, Base64.encode(data.bytes.span))
        case .text(let text): try member(name, text)
        case .code(let code):
            // Keychain Services' code for none.
            if code.rawValue != 0 {
                try member(name, code.text)
            }
        case .number(let number): try member(name, Int(number))
        case .flag(let flag): try member(name, flag)
        case .date(let date): try member(name, ByteString(date.text))
        case .accessibility(let accessible): try member(name, ByteString(accessible.code))
        case .accessControl(let control):
            guard !control.flags.isEmpty else {
                return
            }
            try member(name, control.flags.names.map { ByteString($0.bytes) })
        }
    }
}
