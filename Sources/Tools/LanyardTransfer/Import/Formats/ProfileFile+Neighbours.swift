internal import KeychainServices
internal import PlainTextFormats
internal import ToolCatalog

extension ProfileFile {
    /// A value in the file, and its meaning.
    struct Place {
        let value: PlainTextValue
        /// The number of its key.
        let number: Int
        let key: PlainTextKey
        /// The last value with the same name, which counts; nil if it is this one.
        let last: Range<Int>?
    }

    /// The object, section or element that has a value.
    struct Owner: Hashable {
        let number: Int
        let path: ArraySlice<String>

        init(of value: PlainTextValue) {
            number = value.parent
            path = value.parentPath
        }
    }

    /// What is next to each secret, found once: a search for each would take long in a file with many.
    struct Neighbours {
        var accounts: [Owner: PlainTextValue] = [:]
        var parts: [Owner: [Place]] = [:]
        /// In the order of the keys.
        private var scopes: [Owner: [PlainTextValue]] = [:]
        /// In the order of the file.
        private let allScopes: [PlainTextValue]
        var sessions: Set<Owner> = []
        /// The scope that the file names for all secrets without one of their own, nil without such a name.
        let scope: String?
        /// The starts of the values without a meaning, in their order.
        var others: [Int]

        init(
            _ places: [Place], _ values: [PlainTextValue], _ text: Span<UInt8>,
            _ active: ToolScope.ActiveEntry?
        ) {
            scope = active?.name(in: text)
            allScopes = places.filter { $0.key.holds == .scope }.map(\.value)
                .sorted { $0.range.lowerBound < $1.range.lowerBound }
            for place in places where place.key.holds == .scope {
                scopes[Owner(of: place.value), default: []].append(place.value)
            }
            for place in places where text.extracting(place.value.range).isSecret {
                let owner = Owner(of: place.value)
                if place.key.holds == .account, place.value.isRead, accounts[owner] == nil {
                    accounts[owner] = place.value
                }
                if place.key.holds.part != nil {
                    parts[owner, default: []].append(place)
                }
            }
            for value in values
            where value.path.last?.lowercased().contains("refresh") == true
                && text.extracting(value.range).isSecret
            {
                sessions.insert(Owner(of: value))
            }
            let imported = Set(places.map(\.value.range))
            others = values.map(\.range).filter { !imported.contains($0) }.map(\.lowerBound)
                .sorted()
        }

        /// Returns the names of a secret's scope: those next to it, or the name at the start of the element that has the
        /// secret deeper.
        func scopes(of secret: PlainTextValue) -> [PlainTextValue] {
            if let own = scopes[Owner(of: secret)] {
                return own
            }
            let above = allScopes.last {
                $0.range.lowerBound < secret.range.lowerBound
                    && $0.path.count < secret.path.count
                    && secret.path.starts(with: $0.parentPath)
            }
            return [above].compactMap(\.self)
        }

        /// Whether nothing but what is imported goes with a secret in XML: its bytes are those of the element
        /// around it.
        func isAlone(_ secret: PlainTextValue) -> Bool {
            var start = 0
            var end = others.count
            while start < end {
                let middle = (start + end) / 2
                if others[middle] < secret.removal.lowerBound {
                    start = middle + 1
                } else {
                    end = middle
                }
            }
            return start == others.count || others[start] >= secret.removal.upperBound
        }
    }
}
