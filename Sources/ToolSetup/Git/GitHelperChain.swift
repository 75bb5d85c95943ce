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
    private let isExecutable: @Sendable (String) -> Bool

    /// The chain that a configuration makes.
    ///
    /// - Parameters:
    ///   - path: Of lanyard's helper, where git would not find it by its name.
    ///   - isExecutable: Whether there is a program at a path.
    init(
        _ all: [GitHelper], path: String? = nil,
        isExecutable: @escaping @Sendable (String) -> Bool = { _ in true }
    ) {
        self.isExecutable = isExecutable
        lanyard =
            path.map { GitHelper(pattern: nil, value: Array(ShellWords.escaped($0).utf8)) }
            ?? .lanyard
        let start = all.lastIndex(where: \.forgetsAll).map { $0 + 1 } ?? 0
        helpers = Array(all[start...])
    }

    /// Whether lanyard is asked first for every URL that has no helper of its own, and no helper
    /// keeps plain text.
    var isSetUp: Bool {
        helpers.first { $0.pattern == nil }?.isLanyard == true
            && !helpers.contains(where: \.keepsPlainText) && !isOutOfReach
    }

    /// Whether git does not find a helper of lanyard's where it is told to look, here or in jobs.
    private var isOutOfReach: Bool { helpers.contains(where: isOutOfReach) }

    private func isOutOfReach(_ helper: GitHelper) -> Bool {
        guard helper.isLanyard, let program = helper.program else {
            return false
        }
        return program.hasPrefix("/") ? !isExecutable(program) : lanyard != .lanyard
    }

    /// A helper of lanyard's that git finds, with the options that somebody gave it.
    private func reachable(_ helper: GitHelper) -> GitHelper {
        guard isOutOfReach(helper) else {
            return helper
        }
        let words = helper.words
        let options = words.dropFirst(words.first?.hasSuffix("git") == true ? 2 : 1)
        return GitHelper(
            pattern: helper.pattern,
            value: lanyard.value + options.flatMap { Array(" \(ShellWords.escaped($0))".utf8) })
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
        let isFree = !helpers.contains { $0.pattern == nil || $0.keepsPlainText } && !isOutOfReach
        if isFree {
            return [lanyard]
        }
        var chain = [GitHelper(pattern: nil, value: [])]
        var isPlaced = false
        for helper in helpers {
            if let pattern = helper.pattern {
                let ours = GitHelper(pattern: pattern, value: lanyard.value)
                let replacement = helper.keepsPlainText ? ours : reachable(helper)
                if replacement != ours || chain.last != ours {
                    chain.append(replacement)
                }
                continue
            }
            if !isPlaced {
                let old = helpers.first { $0.pattern == nil && $0.isLanyard }
                chain.append(old.map(reachable) ?? lanyard)
                isPlaced = true
            }
            if !helper.keepsPlainText && !helper.isLanyard {
                chain.append(helper)
            }
        }
        return chain + (isPlaced ? [] : [lanyard])
    }
}
