import Foundation
import KeychainServices
import KeychainPlugin
import TestSupport

/// A plugin with one fault.
struct FaultyPlugin {
    private let folder: ScratchFolder
    let store: PluginStore

    /// - Parameters:
    ///   - method: In whose place the fault is.
    ///   - timeLimit: For everything but the start, which takes the time that Python takes.
    init(
        _ method: String, _ fault: String, timeLimit: Int64 = 400, isPromptAllowed: Bool = false
    ) throws {
        folder = try ScratchFolder()
        try Data("\(method)\n\(fault)\n".utf8)
            .write(to: URL(fileURLWithPath: folder.path + "/fault"))
        let executable = try folder.script(
            "lanyard-keychain-faulty", sourceOfPlugin("faulty.py"))
        store = PluginStore(
            executable: executable, keychain: "work", settings: [], timeLimit: timeLimit,
            isPromptAllowed: isPromptAllowed)
        if method != "hello" {
            try store.open(timeLimit: 60_000)
        }
    }

    func process(_ name: String = "pid") throws -> pid_t {
        let text = folder.text(name) ?? ""
        return try pid_t(text) ?? { throw CocoaError(.fileReadUnknown) }()
    }

    /// Whether the process is gone, and waited for.
    var isGone: Bool {
        // One that never came as far as its first line is no one's.
        guard let process = try? process() else {
            return true
        }
        return kill(process, 0) == -1 && errno == ESRCH
    }
}

/// What makes a store ask a plugin for each of its methods.
func use(_ store: PluginStore, for method: String) throws(KeychainError) {
    let attributes = ItemAttributes { $0.account = "a" }
    var query = Query(.genericPassword, attributes, returns: .data)
    query.match.limit = .all
    switch method {
    case "hello": try store.open()
    case "status": _ = try store.status()
    case "unlock": try store.unlock()
    case "lock": try store.lock()
    case "add": _ = try store.add(.genericPassword, attributes, secret: Secret("s"))
    case "match", "next":
        try store.forEachMatch(query) { _ throws(KeychainError) in .next }
    case "end":
        // What was wanted is there, so the failure shows only in what comes next.
        try store.forEachMatch(query) { _ throws(KeychainError) in .stop }
        _ = try store.status()
    case "update": _ = try store.update(query, attributes, secret: nil)
    case "delete": _ = try store.delete(query)
    case "begin", "commit": try store.transaction { () throws(KeychainError) in }
    case "rollback":
        do throws(KeychainError) {
            try store.transaction { () throws(KeychainError) in
                throw KeychainError(.userCanceled)
            }
        } catch {
            guard error.status == .userCanceled else {
                throw error
            }
        }
        _ = try store.status()
    default: fatalError("there is no method \(method)")
    }
}

let allMethods = [
    "hello", "status", "unlock", "lock", "add", "match", "next", "end", "update", "delete", "begin",
    "commit", "rollback",
]

extension ItemAttributes {
    init(_ set: (inout ItemAttributes) -> Void) {
        self.init()
        set(&self)
    }
}
