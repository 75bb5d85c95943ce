internal import KeychainServices

/// A value that a profile passes to a program.
package enum ProfileValue: Hashable, Sendable {
    /// The secret of the profile's item.
    case secret
    /// The account of that item.
    case account
    /// The scope that the item is for, or the one that an item for any scope is used for.
    case scope
    /// The secret of the item of a part, for example `app-key`.
    case part(String)
    /// The same text for everyone.
    case text(String)

    /// The name of the part, nil for other values.
    package var part: String? {
        if case .part(let part) = self { part } else { nil }
    }

    /// Parses the name of a value: `secret`, `account`, or the name of a part; nil for another text.
    package init?(name: String) {
        switch name {
        case "secret": self = .secret
        case "account": self = .account
        case _ where ProfileValue.isPart(name): self = .part(name)
        default: return nil
        }
    }

    /// Whether a text can be the name of a part: letters, digits, `-`, `_` and `.`, but no name of another
    /// value.
    package static func isPart(_ text: String) -> Bool {
        text != "secret" && text != "account" && !text.isEmpty
            && text.utf8.allSatisfy { $0.isLetterOrDigit || "-_.".utf8.contains($0) }
    }
}

/// How a file's format writes a value.
package enum ValueQuoting: Hashable, Sendable {
    /// As it is, in any file.
    case none
    /// As it is, on one line.
    case line
    /// A field of pgpass: `:` and `\` after a `\`.
    case pgpass
    /// Between the double quotes of an option file of MySQL: `"` and `\` after a `\`.
    case optionFile
    /// The text of an element of XML: `&`, `<` and `>` as references.
    case xml
}
