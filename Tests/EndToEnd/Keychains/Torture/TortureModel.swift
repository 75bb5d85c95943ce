import Foundation
@testable import EndToEndRig

/// What the keychain may hold of each login: one state where all was acknowledged, two after a
/// change that may or may not have been made.
final class TortureModel: @unchecked Sendable {
    private let lock = NSLock()
    private var possible: [TortureLogin: Set<String?>] = [:]
    private var ever: [TortureLogin: Set<String?>] = [:]

    /// All logins that something was done to.
    var logins: [TortureLogin] { lock.withLock { Array(ever.keys) } }

    /// What a login that only one worker uses may hold now.
    func states(of login: TortureLogin) -> Set<String?> {
        lock.withLock { possible[login] ?? [nil] }
    }

    /// A change begins; whatever becomes of it, this is what may be found from now on.
    func begin(_ login: TortureLogin, _ state: String?) {
        lock.withLock { _ = ever[login, default: [nil]].insert(state) }
    }

    /// The change was acknowledged, or a state was read: from now on it has to be this one.
    func settle(_ login: TortureLogin, _ state: String?) {
        lock.withLock { possible[login] = [state] }
    }

    /// The change may or may not have been made.
    func doubt(_ login: TortureLogin, _ state: String?) {
        lock.withLock { _ = possible[login, default: [nil]].insert(state) }
    }

    /// Whether anybody ever wanted this state of a login that several workers use.
    func wasWanted(_ login: TortureLogin, _ state: String?) -> Bool {
        lock.withLock { (ever[login] ?? [nil]).contains(state) }
    }
}
