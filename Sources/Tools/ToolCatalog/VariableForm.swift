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

    /// Whether a value has text to use without the variable, as `${NAME:-text}` and `${NAME-text}`.
    package func hasDefault(in value: Span<UInt8>) -> Bool {
        guard self == .braces else {
            return false
        }
        for start in value.indices where value.extracting(start...).starts(with: "${") {
            var index = start + 2
            while index < value.count,
                value[index].isLetterOrDigit || value[index] == UInt8(ascii: "_")
            {
                index += 1
            }
            if index < value.count, value[index] == UInt8(ascii: ":") {
                index += 1
            }
            if index + 1 < value.count, value[index] == UInt8(ascii: "-"),
                value[index + 1] != UInt8(ascii: "}")
            {
                return true
            }
        }
        return false
    }
}

extension Span where Element == UInt8 {
    /// Whether a value is a secret in a file whose program replaces variables of a form.
    package func isSecret(_ variables: VariableForm?) -> Bool {
        variables?.hasDefault(in: self) == true || isSecret && variables?.isIn(self) != true
    }
}
