internal import KeychainServices
internal import PlainTextFormats

/// How a value in a program's file names a variable that the program replaces: such a value is not the secret.
package enum VariableForm: Hashable, Sendable {
    /// `${NAME}` anywhere in it.
    case braces
    /// `%NAME%`, all of it: a password may contain the sign.
    case percentSigns

    /// Whether a value names a variable.
    package func isIn(_ value: Span<UInt8>) -> Bool {
        switch self {
        case .braces: value.firstIndex(of: "${") != nil
        case .percentSigns:
            value.count > 2 && value[0] == UInt8(ascii: "%")
                && value[value.count - 1] == UInt8(ascii: "%")
        }
    }
}

extension Span where Element == UInt8 {
    /// Whether a value is a secret in a file whose program replaces variables of a form.
    package func isSecret(_ variables: VariableForm?) -> Bool {
        isSecret && variables?.isIn(self) != true
    }
}
