internal import KeychainServices

/// The credential helpers in git's order, including those for single URLs.
///
/// git asks each in turn until one has the login, but tells every one of them to store a login that works.
/// It is not enough that lanyard comes first: a `store` anywhere in the chain would go on writing plain
/// text.
struct GitHelperChain {
    /// The helpers in force: those after the last empty one for all URLs.
    let helpers: [GitHelper]
    /// Lanyard's helper in the form for a new entry.
    let lanyard: GitHelper
    private let isExecutable: @Sendable (String) -> Bool

    /// Builds the chain of a configuration.
    ///
    /// - Parameters:
    ///   - path: Of lanyard's helper, if git would not find it by its name.
    ///   - isExecutable: Whether a path leads to a program.
    init(
        _ all: [GitHelper], path: String? = nil,
        isExecutable: @escaping @Sendable (String) -> Bool = { _ in true }
    ) {
        self.isExecutable = isExecutable
        lanyard =
            path.map { GitHelper(pattern: nil, value: FileBytes(ShellWords.escaped($0))) }
            ?? .lanyard
        let start = all.lastIndex(where: \.forgetsAll).map { $0 + 1 } ?? 0
        helpers = Array(all[start...])
    }

    /// Whether lanyard comes first for every URL without its own helper, and no helper stores plain text.
    var isSetUp: Bool {
        helpers.first { $0.pattern == nil }?.isLanyard == true
            && !helpers.contains(where: \.keepsPlainText) && !isOutOfReach
    }

    /// Whether git can't find one of lanyard's helpers at its configured place, here or in jobs.
    private var isOutOfReach: Bool { helpers.contains(where: isOutOfReach) }

    private func isOutOfReach(_ helper: GitHelper) -> Bool {
        guard helper.isLanyard, let program = helper.program else {
            return false
        }
        return program.hasPrefix("/") ? !isExecutable(program) : lanyard != .lanyard
    }

    /// Returns a helper of lanyard's that git finds, with its existing options.
    private func reachable(_ helper: GitHelper) -> GitHelper {
        guard isOutOfReach(helper) else {
            return helper
        }
        let words = helper.words()
        let options = words.dropFirst(words.first?.hasSuffix("git") == true ? 2 : 1)
        return GitHelper(
            pattern: helper.pattern,
            value: FileBytes(
                joining: [lanyard.value] + options.map { FileBytes(ShellWords.escaped($0)) },
                separator: " "))
    }

    /// The helpers that a setup disables.
    var displaced: [GitHelper] { helpers.filter(\.keepsPlainText) }

    /// The helpers for all URLs that git asks after lanyard, if it lacks the login.
    var kept: [GitHelper] {
        helpers.filter { $0.pattern == nil && !$0.keepsPlainText && !$0.isLanyard }
    }

    /// The helpers to add at the chain's end.
    ///
    /// Without obstacles, this is lanyard's helper alone. Otherwise an empty helper makes git forget the
    /// chain, which is then repeated without `store`, with lanyard before the first helper for all URLs.
    /// Helpers for one URL keep their position: some, such as `gh`, create short-lived tokens, which should
    /// not come from a store.
    var addition: [GitHelper] {
        let isFree = !helpers.contains { $0.pattern == nil || $0.keepsPlainText } && !isOutOfReach
        if isFree {
            return [lanyard]
        }
        var chain = [GitHelper(pattern: nil, value: "")]
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
