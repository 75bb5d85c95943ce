#if SecretService
internal import KeychainServices

/// A step that undoes the change of an item.
private enum UndoStep {
    /// Delete the item that replaced another.
    case delete(String)
    /// Restore the item's former state.
    case restore(PendingChange, SecretBox?)
}

extension SecretServiceStore {
    /// Applies changes: first those that can be undone, then the others. If one fails, those before
    /// it are undone as far as possible.
    func apply(_ changes: [PendingChange], _ link: ServiceLink) throws(KeychainError) {
        // A single change never has to be undone.
        let old =
            changes.count > 1
            ? try secrets(of: changes.filter { $0.secret != nil }.map(\.item.remote.path), link)
            : [:]
        var undo: [UndoStep] = []
        var deleted: [String] = []
        do throws(KeychainError) {
            for change in changes.sorted(by: { $0.changed < $1.changed }) {
                let path = change.item.remote.path
                if change.result == nil {
                    deleted.append(path)
                } else if change.changesIdentity {
                    let new = try replace(change, link)
                    deleted.append(path)
                    undo.append(.delete(new))
                } else {
                    undo.append(.restore(change, old[path]))
                    try changeInPlace(change, link)
                }
            }
            for path in deleted {
                try deleteItem(path, link)
                undo = []
            }
        } catch {
            for step in undo.reversed() {
                try? take(step, link)
            }
            throw error
        }
    }

    /// Creates the item that replaces another one.
    ///
    /// - Returns: Its path.
    private func replace(
        _ change: PendingChange, _ link: ServiceLink
    ) throws(KeychainError) -> String {
        let path = change.item.remote.path
        var secret = change.secret
        if secret == nil {
            secret = try secrets(of: [path], link)[path]
        }
        guard let secret, let attributes = change.attributes else {
            throw KeychainError(.itemNotFound)
        }
        let written = WrittenItem(
            changing: change.item, to: attributes, secret, changed: change.changed, isNew: true)
        let new = try create(written, secret, link)
        paths[change.item.reference.id] = new
        return new
    }

    private func changeInPlace(
        _ change: PendingChange, _ link: ServiceLink
    ) throws(KeychainError) {
        let path = change.item.remote.path
        let written = change.written
        let isEmpty = written.attributes[ItemDates.emptyKey] != nil
        // An intentionally empty secret is marked first: the item must not look unfinished
        // meanwhile.
        if let secret = change.secret, !isEmpty {
            try setSecret(secret, path, link)
        }
        let hasLabel = written.label == change.item.remote.label
        try setProperties(written, path, link, hasLabel: hasLabel)
        if let secret = change.secret, isEmpty {
            try setSecret(secret, path, link)
        }
    }

    private func take(_ step: UndoStep, _ link: ServiceLink) throws(KeychainError) {
        switch step {
        case .delete(let path): try deleteItem(path, link)
        case .restore(let change, let secret): try restore(change, secret, link)
        }
    }

    private func restore(
        _ change: PendingChange, _ secret: SecretBox?, _ link: ServiceLink
    ) throws(KeychainError) {
        let before = change.item.remote
        if let secret {
            try setSecret(secret, before.path, link)
        }
        var written = WrittenItem(label: before.label, attributes: before.attributes)
        if before.keepsOldAttributes {
            ExtraAttributes.markGone(change.written.attributes.keys, in: &written.attributes)
        }
        try setProperties(written, before.path, link)
    }
}

extension PendingChange {
    /// The item after a change that does not replace it.
    fileprivate var written: WrittenItem {
        WrittenItem(
            changing: item, to: attributes ?? ItemAttributes(), secret, changed: changed,
            isNew: false)
    }
}
#endif
