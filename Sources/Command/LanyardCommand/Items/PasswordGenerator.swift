internal import KeychainServices
internal import LinuxSystem

/// Creates passwords from the system's random numbers. All passwords of a length with a character of each
/// kind are equally likely.
struct PasswordGenerator {
    enum Kind: CaseIterable {
        case lower
        case upper
        case digits
        /// ASCII's without quotation marks, backslash and space, which cause trouble in many programs.
        case symbols

        var characters: [UInt8] {
            switch self {
            case .lower: Array("abcdefghijklmnopqrstuvwxyz".utf8)
            case .upper: Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8)
            case .digits: Array("0123456789".utf8)
            case .symbols: Array("!#$%&()*+,-./:;<=>?@[]^_{|}~".utf8)
            }
        }

        /// Parses a comma-separated list of kinds.
        ///
        /// - Throws: ``Status/param`` for an unknown name.
        static func named(_ list: String) throws(KeychainError) -> Set<Kind> {
            var kinds: Set<Kind> = []
            for name in list.split(separator: ",", omittingEmptySubsequences: false) {
                switch name {
                case "lower": kinds.insert(.lower)
                case "upper": kinds.insert(.upper)
                case "letters": kinds.formUnion([.lower, .upper])
                case "digits": kinds.insert(.digits)
                case "symbols": kinds.insert(.symbols)
                default:
                    throw KeychainError(
                        .param, "unknown kind of characters '\(name)'",
                        hint: "use some of lower, upper, letters, digits, symbols")
                }
            }
            return kinds
        }
    }

    /// The allowed lengths of a password.
    static let lengths = 4...1024

    private let length: Int
    private let kinds: [[UInt8]]
    private let alphabet: [UInt8]

    /// - Throws: ``Status/param`` for a length out of bounds.
    init(length: Int, kinds: Set<Kind>) throws(KeychainError) {
        guard PasswordGenerator.lengths.contains(length) else {
            throw KeychainError(
                .param,
                "--length needs a number from \(PasswordGenerator.lengths.lowerBound) to "
                    + "\(PasswordGenerator.lengths.upperBound)")
        }
        self.length = length
        self.kinds = Kind.allCases.filter(kinds.contains).map(\.characters)
        alphabet = self.kinds.flatMap(\.self)
    }

    /// Creates a new password.
    ///
    /// - Throws: ``Status/io`` if the system provides no random numbers.
    func make() throws(KeychainError) -> Secret {
        while true {
            // A candidate that lacks a kind is dropped; repairing it would make some passwords likelier.
            let candidate = try makeCandidate()
            if hasEveryKind(candidate) {
                return candidate
            }
        }
    }

    private func makeCandidate() throws(KeychainError) -> Secret {
        var password = SecretBuilder(capacity: length)
        // Numbers from here on would make the first characters likelier.
        let limit = 256 - 256 % alphabet.count
        while password.count < length {
            let random = try RandomBytes.makeKey().locked()
            random.withBytes { bytes in
                for index in bytes.indices
                where Int(bytes[index]) < limit && password.count < length {
                    password.append(alphabet[Int(bytes[index]) % alphabet.count])
                }
            }
        }
        return password.finish().locked()
    }

    private func hasEveryKind(_ password: borrowing Secret) -> Bool {
        password.withBytes { bytes in
            kinds.allSatisfy { kind in
                bytes.indices.contains { kind.contains(bytes[$0]) }
            }
        }
    }
}
