internal import KeychainServices
internal import ToolCatalog

// A program with a helper and a profile looks for its secret in two places: the command that copies it to the other one.
extension ItemAttributes {
    /// Returns the command that copies the item's secret to another item.
    ///
    /// - Parameter target: The arguments of `lanyard set`.
    func copyCommand(to target: String) -> String {
        let group = accessGroup.flatMap {
            $0 == "login" ? nil : "--group \($0.description.shellWord)"
        }
        let words = [group, name.description.shellWord] + [shownAccount?.shellWord]
        return
            "lanyard get \(words.compactMap(\.self).joined(separator: " ")) | lanyard set \(target)"
    }

    private var shownAccount: String? { account.flatMap { $0.isEmpty ? nil : $0.description } }
}

extension Keychain {
    /// Returns the command that gives a program the secret that was imported for another tool's helper, as npm's are for
    /// pnpm's; nil without one.
    func copyCommand(for profile: ToolProfile) -> String? {
        guard profile.name == "npm" else {
            return nil
        }
        var attributes = ItemAttributes()
        attributes.server = "registry.npmjs.org"
        attributes.accessGroup = "npm"
        return found(.internetPassword, attributes).first?.copyCommand(to: "--stdin npm")
    }

    /// Returns the command that gives aws's helper a key which aws gets by `lanyard run` alone, nil without one.
    func copyCommandForAWS(_ profile: String) -> String? {
        for service in ["aws@\(profile)", "aws"] {
            var attributes = ItemAttributes()
            attributes.service = ByteString(service)
            let item = found(.genericPassword, attributes).first {
                $0.accessGroup != "aws" && $0.account?.isEmpty == false
            }
            if let item, let key = item.account?.description.shellWord {
                return item.copyCommand(to: "--for aws \(profile.shellWord) \(key)")
            }
        }
        return nil
    }

    private func found(_ itemClass: ItemClass, _ attributes: ItemAttributes) -> [ItemAttributes] {
        var query = Query(itemClass, attributes)
        query.synchronizable = .any
        return (try? self.attributes(of: query)) ?? []
    }
}
