extension ItemAttributes {
    /// The values of all attributes, named as those are.
    package struct Values: Hashable, Sendable {
        package var accessible: Accessibility?
        package var accessControl: AccessControl?
        package var accessGroup: ByteString?
        package var synchronizable: Bool?
        package var creationDate: Timestamp?
        package var modificationDate: Timestamp?
        package var label: ByteString?
        package var account: ByteString?
        package var itemDescription: ByteString?
        package var comment: ByteString?
        package var creator: FourCharacterCode?
        package var type: FourCharacterCode?
        package var isInvisible: Bool?
        package var isNegative: Bool?
        package var service: ByteString?
        package var generic: ByteString?
        package var securityDomain: ByteString?
        package var server: ByteString?
        package var `protocol`: ProtocolType?
        package var authenticationType: AuthenticationType?
        package var port: UInt16?
        package var path: ByteString?

        /// None.
        package init() {}
    }

    /// The values, which it lends without a copy: one is made at each call of what stands in a class and
    /// can be copied, and where such a value is put there.
    struct LentValues: ~Copyable, Sendable {
        fileprivate(set) var values = Values()

        borrowing func lend<Failure: Error>(
            to body: (borrowing Values) throws(Failure) -> Void
        ) throws(Failure) {
            try body(values)
        }
    }

    /// Holds the values in one place, so that a copy of the attributes is one reference more, not one
    /// for each text. They never change: to read them takes no check whether somebody writes.
    final class Storage: Sendable {
        let lent: LentValues

        init<Failure: Error>(
            _ set: (inout Values) throws(Failure) -> Void
        ) throws(Failure) {
            var lent = LentValues()
            try set(&lent.values)
            self.lent = lent
        }
    }
}

extension ItemAttributes.Values {
    /// How many bytes the longest text attribute has, and all of them together.
    borrowing func textSizes() -> (longest: Int, total: Int) {
        var longest = 0
        var total = 0
        func count(_ text: ByteString?) {
            let size = text?.bytes.count ?? 0
            longest = max(longest, size)
            total += size
        }
        count(accessGroup)
        count(label)
        count(account)
        count(itemDescription)
        count(comment)
        count(service)
        count(generic)
        count(securityDomain)
        count(server)
        count(path)
        count(`protocol`?.rawValue)
        return (longest, total)
    }
}
