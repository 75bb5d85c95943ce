extension ItemAttributes {
    /// The values of all attributes.
    package struct Values: Hashable, Sendable {
        var accessible: Accessibility?
        var accessControl: AccessControl?
        var accessGroup: ByteString?
        var synchronizable: Bool?
        var creationDate: Timestamp?
        var modificationDate: Timestamp?
        var label: ByteString?
        var account: ByteString?
        var itemDescription: ByteString?
        var comment: ByteString?
        var creator: FourCharacterCode?
        var type: FourCharacterCode?
        var isInvisible: Bool?
        var isNegative: Bool?
        var service: ByteString?
        var generic: ByteString?
        var securityDomain: ByteString?
        var server: ByteString?
        var `protocol`: ProtocolType?
        var authenticationType: AuthenticationType?
        var port: UInt16?
        var path: ByteString?
    }

    /// Holds the values in one place, so that a copy of the attributes is one reference more, not one
    /// for each text.
    ///
    /// Sendable since only who has the one reference writes, which `own()` sees to.
    final class Storage: @unchecked Sendable {
        var values: Values

        init(_ values: consuming Values) {
            self.values = values
        }

        // Not of the values, which would be copied for it.
        var textSizes: (longest: Int, total: Int) {
            var longest = 0
            var total = 0
            func count(_ text: ByteString?) {
                let size = text?.bytes.count ?? 0
                longest = max(longest, size)
                total += size
            }
            count(values.accessGroup)
            count(values.label)
            count(values.account)
            count(values.itemDescription)
            count(values.comment)
            count(values.service)
            count(values.generic)
            count(values.securityDomain)
            count(values.server)
            count(values.path)
            count(values.`protocol`?.rawValue)
            return (longest, total)
        }
    }
}
