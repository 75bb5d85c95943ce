internal import KeychainServices
internal import SealedStore
internal import StrictJSON

extension VerificationReport {
    /// Returns the answer as JSON. Part of the stable output: see lanyard-verify(1), "JSON".
    func json() throws(KeychainError) -> Secret {
        try JSONWriter.writeObject(invalidText: .replace) { writer throws(KeychainError) in
            try writer.member("keychain", keychain)
            try writer.member("path", path)
            try writer.member("sound", error == nil)
            try writer.member("reason", error?.reason)
            try writer.member("items", found?.items)
            try writer.member("locked_secrets", found?.lockedSecrets)
            try writer.member("foreign_secrets", found?.foreignSecrets)
            try writer.member("structure_damaged", found?.isStructureDamaged)
            try writer.member("item_set", found?.rowSet.name)
            try writer.member("missing_items", found?.rowSet.missing)
            try writer.member("surplus_items", found?.rowSet.surplus)
            try writer.member("quarantine", quarantine)
            try writer.member(objects: "damaged", of: found?.damaged ?? []) {
                writer, item throws(KeychainError) in
                try writer.member("row", Int(item.row))
                try writer.member("damage", ByteString(item.damage.rawValue))
                if let attributes = item.attributes, let itemClass = item.itemClass {
                    try writer.members(of: attributes, itemClass)
                }
            }
        }
    }
}

extension Verification.RowSetState {
    fileprivate var name: String {
        switch self {
        case .complete: "complete"
        case .missing: "missing"
        case .surplus: "surplus"
        case .exchanged: "exchanged"
        case .unknown: "unknown"
        }
    }

    fileprivate var missing: Int {
        if case .missing(let count) = self { count } else { 0 }
    }

    fileprivate var surplus: Int {
        if case .surplus(let count) = self { count } else { 0 }
    }
}
