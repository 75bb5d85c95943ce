import KeychainServices
import OneTimeCodes

@testable import LanyardTransfer

/// What a reader of another program's file has handed out, with what has to hold of all such files.
struct ImportedEntries {
    enum Content {
        case item(ItemClass, ItemAttributes, secret: [UInt8])
        case skipped(String)
        case shadowed
        case without(ImportLoss)
    }

    /// The ranges of each entry that has some.
    private(set) var ranges: [[Range<Int>]] = []
    private(set) var contents: [Content] = []

    /// Reads a file and checks every entry of it; nil for one that is refused.
    ///
    /// - Parameter group: The access group of all items.
    init?(_ format: some ImportFormat, _ input: [UInt8], group: ByteString) {
        var count = 0
        var ranges: [[Range<Int>]] = []
        var contents: [Content] = []
        let isRead: Void? = attempt { () throws(KeychainError) in
            try format.read(Secret(copying: input.span)) {
                (record: ImportRecord) throws(KeychainError) in
                count += 1
                check(!record.place.isEmpty, "an entry has no place")
                // None is an entry of its own: a lost part of the one before, a secret that is not read, and
                // a value of another kind.
                if case .without = record.content, !record.ranges.isEmpty {
                    check(record.ranges == ranges.last, "a lost part is elsewhere than its entry")
                    return
                }
                if case .failed(let error) = record.content,
                    [SkipReason.unread, SkipReason.noObject].contains(error.reason)
                {
                    check(record.ranges.isEmpty, "what is not read can be cut out")
                    return
                }
                if !record.ranges.isEmpty {
                    ranges.append(record.ranges)
                }
                contents.append(Content(record.content, group: group))
            }
        }
        check(isRead != nil || count == 0, "of a file that is refused something is handed out")
        guard isRead != nil else {
            return nil
        }
        self.ranges = ranges
        self.contents = contents
        checkRanges(size: input.count)
        checkIdentities()
    }

    var secrets: [[UInt8]] {
        contents.compactMap { if case .item(_, _, let secret) = $0 { secret } else { nil } }
    }

    private func checkRanges(size: Int) {
        check(ranges.isEmpty || ranges.count == contents.count, "an entry alone has a range")
        var end = 0
        for range in ranges.joined() {
            check(range.lowerBound >= end, "the ranges of two entries overlap")
            end = range.upperBound
        }
        check(end <= size, "a range lies outside the file")
    }

    private func checkIdentities() {
        var identities: Set<ItemIdentity> = []
        for case .item(let itemClass, let attributes, _) in contents {
            let isNew = identities.insert(ItemIdentity(itemClass, attributes)).inserted
            check(isNew, "an entry would take the place of an earlier one")
        }
    }

    /// Cuts every entry out of a file, which has to be of the same form then, and without entries.
    ///
    /// - Parameter leavesSkipped: Whether of a file without its items and what they shadow all that
    ///   was skipped is still the same.
    func checkCutting<Format: ImportFormat>(
        _ format: Format, _ input: [UInt8], group: ByteString, leavesSkipped: Bool
    ) {
        let without = ImportedEntries(format, cut(ranges, input), group: group)
        check(without != nil, "a file without its entries is refused")
        check(without?.contents.isEmpty == true, "an entry was not cut out")
        guard leavesSkipped else {
            return
        }
        let kept = zip(ranges, contents).filter { $0.1.reason == nil }.map(\.0)
        let left = ImportedEntries(format, cut(kept, input), group: group)
        check(
            left?.contents.map(\.reason) == contents.filter { $0.reason != nil }.map(\.reason),
            "cutting an entry out changes another")
    }

    private func cut(_ ranges: [[Range<Int>]], _ input: [UInt8]) -> [UInt8] {
        removing(Array(ranges.joined()), from: Secret(copying: input.span)).array()
    }
}

extension ImportedEntries.Content {
    init(_ content: ImportRecord.Content, group: ByteString) {
        switch content {
        case .item(let item):
            let attributes = item.attributes
            // The keys of one-time codes have a group of their own.
            check(
                [group, .codeGroup].contains(attributes.accessGroup),
                "an item is in another group")
            check(item.secret.count <= Keychain.secretLimit, "a secret is too long")
            let isKept: Void? = attempt { () throws(KeychainError) in
                try attributes.check(for: item.itemClass)
                try attributes.checkStorable()
            }
            check(isKept != nil, "an item can't be kept")
            self = .item(item.itemClass, attributes, secret: item.secret.array())
        case .skipped(let reason, _): self = .skipped(reason)
        case .failed(let error): self = .skipped(error.reason)
        case .shadowed:
            self = .shadowed
        case .without(let loss):
            self = .without(loss)
        }
        if let reason {
            check(!reason.isEmpty, "there is no reason")
            check(reason.allSatisfy { $0.isASCII && $0 >= " " }, "a reason is not ours alone")
        }
    }

    var reason: String? {
        if case .skipped(let reason) = self { reason } else { nil }
    }
}
