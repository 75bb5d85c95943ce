import KeychainServices

extension StoreConformance {
    @ConformanceCases static var accessibleCases: [ConformanceCase] {
        for accessible in keepable {
            for itemClass in passwordClasses {
                ConformanceCase("\(itemClass) \(accessible) is kept and found") { keychain in
                    let attributes = ItemAttributes { $0.accessible = accessible }
                    try keychain.add(itemClass, attributes, secret: Secret("s"))
                    let item = try keychain.onlyItem(Query(itemClass, attributes))
                    try expectEqual(item.attributes.accessible, accessible)
                    try expectEqual(item.secret, Array("s".utf8))
                }
                ConformanceCase("\(itemClass) made \(accessible) keeps its secret") {
                    keychain in
                    let before = ItemAttributes { $0.accessible = .afterFirstUnlock }
                    try keychain.add(itemClass, before, secret: Secret("secret"))
                    try keychain.update(
                        Query(itemClass), ItemAttributes { $0.accessible = accessible })
                    let item = try keychain.onlyItem(Query(itemClass))
                    try expectEqual(item.attributes.accessible, accessible)
                    try expectEqual(item.secret, Array("secret".utf8))
                }
            }
            ConformanceCase("\(accessible) comes from the access control") { keychain in
                let attributes = ItemAttributes {
                    $0.accessControl = AccessControl(accessible: accessible)
                }
                try keychain.add(.genericPassword, attributes, secret: Secret("s"))
                let item = try keychain.onlyItem(Query(.genericPassword, attributes))
                try expectEqual(item.attributes.accessible, accessible)
            }
        }
        for accessible in Accessibility.allCases where accessible.isThisDeviceOnly {
            ConformanceCase("\(accessible) and synchronizable is refused") { keychain in
                let only = ItemAttributes { $0.accessible = accessible }
                let synchronizable = ItemAttributes { $0.synchronizable = true }
                try keychain.expectRefusal(.param) {
                    let both = only.merging(synchronizable)
                    try keychain.add(.genericPassword, both, secret: Secret("s"))
                }
                try keychain.add(.genericPassword, synchronizable, secret: Secret("s"))
                let query = Query(.genericPassword).with { $0.synchronizable = .synchronizable }
                try keychain.expectRefusal(.param) { try keychain.update(query, only) }
                guard accessible != .whenPasscodeSetThisDeviceOnly else { return }
                try keychain.add(.genericPassword, only, secret: Secret("s"))
                try keychain.expectRefusal(.param) {
                    try keychain.update(Query(.genericPassword), synchronizable)
                }
            }
        }
        ConformanceCase("access control flags and synchronizable are refused") { keychain in
            let synchronizable = ItemAttributes { $0.synchronizable = true }
            let asking = ItemAttributes { $0.accessControl = AccessControl(flags: .userPresence) }
            try keychain.expectRefusal(.param) {
                try keychain.add(
                    .genericPassword, synchronizable.merging(asking), secret: Secret("s"))
            }
            try keychain.add(.genericPassword, synchronizable, secret: Secret("s"))
            let query = Query(.genericPassword).with { $0.synchronizable = .synchronizable }
            try keychain.expectRefusal([.param, .unimplemented]) {
                try keychain.update(query, asking)
            }
            let plain = ItemAttributes { $0.accessControl = AccessControl() }
            try keychain.update(query, plain)
        }
        ConformanceCase("without a passphrase whenPasscodeSetThisDeviceOnly is refused") {
            keychain in
            let attributes = ItemAttributes { $0.accessible = .whenPasscodeSetThisDeviceOnly }
            try keychain.expectRefusal(.authFailed) {
                try keychain.add(.genericPassword, attributes, secret: Secret("s"))
            }
            try keychain.addAccounts("a")
            try keychain.expectRefusal(.authFailed) {
                try keychain.update(.account("a"), attributes)
            }
        }
        ConformanceCase("an access control that contradicts accessible is refused") {
            keychain in
            let attributes = ItemAttributes {
                $0.accessible = .always
                $0.accessControl = AccessControl(accessible: .whenUnlocked)
            }
            try keychain.expectRefusal(.param) {
                try keychain.add(.genericPassword, attributes, secret: Secret("s"))
            }
            try keychain.addAccounts("a")
            try keychain.expectRefusal(.param) {
                try keychain.update(.account("a"), attributes)
            }
        }
        ConformanceCase("a new accessibility changes the access control's too") { keychain in
            let attributes = ItemAttributes { $0.accessControl = AccessControl() }
            try keychain.add(.genericPassword, attributes, secret: Secret("s"))
            let always = ItemAttributes { $0.accessible = .always }
            try keychain.update(Query(.genericPassword), always)
            let item = try keychain.onlyItem(Query(.genericPassword, always))
            try expectEqual(
                item.attributes.accessControl, AccessControl(accessible: .always))
        }
        for (flags, statuses) in refusals {
            ConformanceCase("access control flags \(flags.rawValue) are refused") { keychain in
                let attributes = ItemAttributes {
                    $0.accessControl = AccessControl(flags: flags)
                }
                try keychain.expectRefusal(statuses) {
                    try keychain.add(.genericPassword, attributes, secret: Secret("s"))
                }
                try keychain.addAccounts("a")
                try keychain.expectRefusal(statuses) {
                    try keychain.update(.account("a"), attributes)
                }
            }
        }
    }

    /// Access controls that a keychain without a passphrase can't have. Some stores can't enforce any.
    private static let refusals: [(AccessControl.Flags, [Status])] = [
        (.userPresence, [.authFailed, .unimplemented]),
        ([.userPresence, .or, .biometryAny], [.authFailed, .unimplemented]),
        (.applicationPassword, [.authFailed, .unimplemented]),
        (.biometryAny, [.unimplemented]), (.biometryCurrentSet, [.unimplemented]),
        ([.userPresence, .and, .companion], [.unimplemented]),
        ([.userPresence, .devicePasscode], [.param]),
        ([.userPresence, .devicePasscode, .or, .and], [.param]),
        (.privateKeyUsage, [.param]), (.init(rawValue: 4), [.param]),
    ]

    /// Those that a keychain without a passphrase keeps.
    private static let keepable = Accessibility.allCases.filter {
        $0 != .whenPasscodeSetThisDeviceOnly
    }
}
