/// The credential helpers that git asks, in its order, those for one URL among those for all.
///
/// git asks each in turn until one knows the login, but tells every one of them to keep a login
/// that has worked. So it is not enough that lanyard comes first: a `store` anywhere in the chain
/// would go on writing plain text.
struct GitHelperChain {
    /// The helpers in force: those after the last empty one for all URLs.
    let helpers: [GitHelper]
    /// Lanyard's helper as it is written where there is none yet.
    let lanyard: GitHelper

    /// The chain that a configuration makes.
    ///
    /// - Parameter path: Of lanyard's helper, where git would not find it by its name.
    init(_ all: [GitHelper], path: String? = nil) {
        lanyard = path.map { GitHelper(pattern: nil, value: Array($0.utf8)) } ?? .lanyard
        let start = all.lastIndex(where: \.forgetsAll).map { $0 + 1 } ?? 0
        helpers = Array(all[start...])
    }

    /// Whether lanyard is asked first for every URL that has no helper of its own, and no helper
    /// keeps plain text.
    var isSetUp: Bool {
        helpers.first { $0.pattern == nil }?.isLanyard == true
            && !helpers.contains(where: \.keepsPlainText) && !isOutOfReach
    }

    /// Whether lanyard's helper is named where only its path would do.
    private var isOutOfReach: Bool {
        lanyard != .lanyard && helpers.contains { $0.value == GitHelper.lanyard.value }
    }

    /// The helpers that a setup puts out of force.
    var displaced: [GitHelper] { helpers.filter(\.keepsPlainText) }

    /// The helpers for all URLs that are asked after lanyard, if it has not got the login.
    var kept: [GitHelper] {
        helpers.filter { $0.pattern == nil && !$0.keepsPlainText && !$0.isLanyard }
    }

    /// What is to be added at the chain's end.
    ///
    /// Where nothing stands in the way that is lanyard's helper alone. Otherwise an empty helper
    /// makes git forget the chain, and it is said again without `store`, lanyard standing before
    /// the first helper for all URLs. Helpers for one URL keep their place: such as `gh` make
    /// short-lived tokens, which should not come from a store.
    var addition: [GitHelper] {
        let isFree = !helpers.contains { $0.pattern == nil || $0.keepsPlainText }
        if isFree {
            return [lanyard]
        }
        var chain = [GitHelper(pattern: nil, value: [])]
        var isPlaced = false
        for helper in helpers {
            if let pattern = helper.pattern {
                let ours = GitHelper(pattern: pattern, value: lanyard.value)
                let replacement = helper.keepsPlainText ? ours : helper
                if replacement != ours || chain.last != ours {
                    chain.append(replacement)
                }
                continue
            }
            if !isPlaced {
                // Options that somebody gave it stay.
                let old = helpers.first { $0.pattern == nil && $0.isLanyard }
                chain.append(isOutOfReach ? lanyard : old ?? lanyard)
                isPlaced = true
            }
            if !helper.keepsPlainText && !helper.isLanyard {
                chain.append(helper)
            }
        }
        return chain + (isPlaced ? [] : [lanyard])
    }
}
