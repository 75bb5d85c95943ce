internal import KeychainServices
internal import ToolSetup

/// A remote of the repository in the current folder for which git does not ask lanyard, which it asks for other URLs.
struct RemoteHelpers {
    let remote: GitConfiguration.Remote
    /// The empty helper for the remote's URL that makes git forget lanyard.
    let reset: GitConfiguration.Helper
    /// The helpers that git asks, none of them lanyard.
    let others: [GitConfiguration.Helper]

    /// Returns all such remotes, one for each empty helper.
    static func all(
        _ configuration: GitConfiguration, _ environment: SetupEnvironment
    ) -> [RemoteHelpers] {
        let helpers = configuration.inForce
        // Without an empty helper for some URLs, git asks lanyard for all of them.
        guard helpers.contains(where: { $0.helper.pattern != nil && $0.helper.value.isEmpty })
        else {
            return []
        }
        var found: [RemoteHelpers] = []
        for remote in configuration.remotes + configuration.remotes("pushurl")
        where remote.url.hasPrefix("http") {
            let asked = RemoteHelpers.helpers(helpers, for: remote.url, environment)
            guard let last = asked.lastIndex(where: { $0.helper.value.isEmpty }),
                !asked[last...].contains(where: \.helper.isLanyard),
                !found.contains(where: { $0.reset.helper.pattern == asked[last].helper.pattern })
            else {
                continue
            }
            found.append(
                RemoteHelpers(
                    remote: remote, reset: asked[last], others: Array(asked[(last + 1)...])))
        }
        return found
    }

    /// Returns the helpers for all URLs and those for this one, in git's order.
    private static func helpers(
        _ helpers: [GitConfiguration.Helper], for url: String, _ environment: SetupEnvironment
    ) -> [GitConfiguration.Helper] {
        var answers: [[UInt8]: Bool] = [:]
        return helpers.filter { helper in
            guard let pattern = helper.helper.pattern else {
                return true
            }
            let matches = answers[pattern] ?? Self.matches(pattern, url, environment)
            answers[pattern] = matches
            return matches
        }
    }

    /// Asks git, which knows the rules, whether a URL is one of a pattern: gitcredentials(7).
    private static func matches(
        _ pattern: [UInt8], _ url: String, _ environment: SetupEnvironment
    ) -> Bool {
        var pattern = String(decoding: pattern, as: UTF8.self)
        // Only credentials know patterns without a scheme, for any.
        if !pattern.contains("://"), let scheme = url.firstRange(of: "://")?.upperBound {
            pattern = url[..<scheme] + pattern
        }
        let answer = try? ForeignProgram("git", environment).run(
            ["config", "--get-urlmatch", "credential.lanyard", url],
            variables: [
                "GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "credential.\(pattern).lanyard",
                "GIT_CONFIG_VALUE_0": "yes",
            ])
        return answer?.succeeded == true
    }
}
