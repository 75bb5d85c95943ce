public import KeychainServices
internal import LinuxSystem

/// A file that a setup has moved logins out of.
public struct MovedFile: Sendable {
    /// What became of it since.
    public enum State: Sendable {
        /// It is as the setup left it.
        case unchanged
        /// It is as it was before the setup.
        case restored
        /// Something else was written to it.
        case changed
    }

    /// By which bytes are told from others.
    struct Digests: Sendable {
        let original: String
        /// Nil if the file was removed.
        let rest: String?

        var text: String { "\(original) \(rest ?? "none")" }
    }

    /// Its path.
    public let path: String
    private let name: String
    /// Which form it has.
    public let kind: PlainTextLeftover.Kind
    let digests: Digests
    let reference: ItemReference

    /// Nil for an item that is none.
    init?(_ reference: ItemReference, _ attributes: ItemAttributes) {
        let digests = attributes.generic?.description.split(separator: " ") ?? []
        guard let path = attributes.comment, let name = attributes.service, digests.count == 2,
            let kind = attributes.itemDescription.flatMap({
                PlainTextLeftover.Kind(rawValue: $0.description)
            })
        else {
            return nil
        }
        self.path = path.description
        self.name = name.description
        self.kind = kind
        self.digests = Digests(
            original: String(digests[0]), rest: digests[1] == "none" ? nil : String(digests[1]))
        self.reference = reference
    }

    /// The tool that uses the logins.
    public var tool: Tool { kind == .dockerConfig ? .docker : .git }

    /// The command that prints the file as it was.
    public var getCommand: String {
        "lanyard get --group \(MovedFiles.accessGroup) \(PrivatePlace.quoted(name))"
    }

    /// What became of the file since.
    ///
    /// - Throws: What keeps it from being read.
    public func state() throws(KeychainError) -> State {
        let now = try TargetFile(path).bytes.map(SetupRecord.digest)
        if now == digests.rest {
            return .unchanged
        }
        return now == digests.original ? .restored : .changed
    }
}
