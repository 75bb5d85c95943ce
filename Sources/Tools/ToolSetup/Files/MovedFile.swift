package import KeychainServices
internal import LinuxSystem

/// A file whose logins a setup has moved to the keychain.
package struct MovedFile: Sendable {
    /// Its state compared with that before and after the setup.
    package enum State: Sendable {
        /// It has the state that the setup left.
        case unchanged
        /// It has the state before the setup.
        case restored
        /// It has other content.
        case changed
    }

    /// What it has logins of.
    package enum Kind: Equatable, Sendable {
        /// Logins that `lanyard import` moves.
        case leftover(PlainTextLeftover.Kind)
        /// Users of kubectl.
        case kubeconfig

        init?(_ text: String) {
            if text == Kind.kubeconfig.text {
                self = .kubeconfig
            } else if let kind = PlainTextLeftover.Kind(rawValue: text) {
                self = .leftover(kind)
            } else {
                return nil
            }
        }

        var text: String {
            switch self {
            case .leftover(let kind): kind.rawValue
            case .kubeconfig: "kubeconfig"
            }
        }
    }

    /// The digests that identify its states.
    struct Digests: Sendable {
        let original: String
        /// Nil if the file was removed.
        let rest: String?

        /// The stored form of the digests and the id of the move.
        func text(id: String) -> String { "\(original) \(rest ?? "none") \(id)" }
    }

    /// Its path.
    package let path: String
    private let name: String
    /// A random name of this move, under which this machine remembers it.
    let id: String
    /// Its format.
    package let kind: Kind
    let digests: Digests
    let reference: ItemReference

    /// Fails for an item that is not a moved file.
    ///
    /// - Parameter home: The home folder if it may have moved with the keychain.
    init?(_ reference: ItemReference, _ attributes: ItemAttributes, home: String?) {
        let digests = attributes.generic?.description.split(separator: " ") ?? []
        guard let path = attributes.comment, let name = attributes.service, digests.count == 3,
            let kind = attributes.itemDescription.flatMap({ Kind($0.description) })
        else {
            return nil
        }
        self.name = name.description
        if let home, self.name.hasPrefix("~/") {
            self.path = home + self.name.dropFirst()
        } else {
            self.path = path.description
        }
        self.kind = kind
        self.digests = Digests(
            original: String(digests[0]), rest: digests[1] == "none" ? nil : String(digests[1]))
        id = String(digests[2])
        self.reference = reference
    }

    /// Whether another item has the same file with the same content, such as one in a copied keychain.
    package func isSame(as other: MovedFile) -> Bool {
        path == other.path && digests.original == other.digests.original
    }

    /// The tool that uses the logins.
    package var tool: Tool {
        switch kind {
        case .leftover(let kind): kind.tool
        case .kubeconfig: .kubectl
        }
    }

    /// Whether its logins can come back one by one after it has changed.
    package var canBeMerged: Bool { kind == .leftover(.dockerConfig) }

    /// The command that prints the original file.
    package var getCommand: String {
        "lanyard get --group \(MovedFiles.accessGroup) \(name.shellQuoted)"
    }

    /// Returns what has happened to the file since.
    ///
    /// - Throws: Errors of reading it.
    package func state() throws(KeychainError) -> State {
        let now = try TargetFile(path).bytes.map(SetupRecord.digest)
        if now == digests.rest {
            return .unchanged
        }
        return now == digests.original ? .restored : .changed
    }
}
