internal import KeychainServices

/// Writes fields to a text: `key=value` with something before or after it, and nothing for an absent field.
extension SecretBuilder {
    mutating func append(
        before: StaticString = "", _ key: RequestKey, _ value: ByteString?,
        after: StaticString = ""
    ) {
        guard let value else {
            return
        }
        append(before)
        append(key.name)
        append(Byte.equalsSign)
        append(value)
        append(after)
    }

    mutating func append(
        before: StaticString = "", _ key: RequestKey, _ value: borrowing Secret?,
        after: StaticString = ""
    ) {
        switch value {
        case .some(let value):
            append(before)
            append(key.name)
            append(Byte.equalsSign)
            append(value)
            append(after)
        case .none:
            break
        }
    }
}
