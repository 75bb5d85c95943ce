/// The credential helpers that git asks, in its order, those for one URL among those for all.
///
/// git asks each in turn until one knows the login, but tells every one of them to keep a login
/// that has worked. So it is not enough that lanyard comes first: a `store` anywhere in the chain
/// would go on writing plain text.
struct GitHelperChain {
    /// The helpers in force: those after the last empty one for all URLs.
    let helpers: [GitHelper]

    /// The chain that a configuration makes.
    init(_ all: [GitHelper]) {
        let start = all.lastIndex(where: \.forgetsAll).map { $0 + 1 } ?? 0
        helpers = Array(all[start...])
    }

    /// Whether lanyard is asked first for every URL that has no helper of its own, and no helper
    /// keeps plain text.
    var isSetUp: Bool {
        helpers.first { $0.pattern == nil }?.isLanyard == true
            && !helpers.contains(where: \.keepsPlainText)
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
            return [.lanyard]
        }
        var chain = [GitHelper(pattern: nil, value: [])]
        var isPlaced = false
        for helper in helpers {
            if let pattern = helper.pattern {
                let lanyard = GitHelper(pattern: pattern, value: GitHelper.lanyard.value)
                let replacement = helper.keepsPlainText ? lanyard : helper
                if replacement != lanyard || chain.last != lanyard {
                    chain.append(replacement)
                }
                continue
            }
            if !isPlaced {
                // Options that somebody gave it stay.
                chain.append(helpers.first { $0.pattern == nil && $0.isLanyard } ?? .lanyard)
                isPlaced = true
            }
            if !helper.keepsPlainText && !helper.isLanyard {
                chain.append(helper)
            }
        }
        return chain + (isPlaced ? [] : [.lanyard])
    }
}
