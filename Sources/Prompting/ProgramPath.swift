internal import Configuration
package import KeychainServices
internal import LinuxSystem

/// The path of a program that can be run: of one that is named, from PATH; nil if there is none.
///
/// What lies in the current folder is never run for a name alone, whatever PATH says.
package func programPath(_ name: String) throws(KeychainError) -> String? {
    guard !name.contains("/") else {
        return SystemCalls.isExecutable(name) ? name : nil
    }
    let folders = try Environment.value("PATH")?.split(separator: ":") ?? []
    return folders.filter { $0.hasPrefix("/") }.map { "\($0)/\(name)" }
        .first(where: SystemCalls.isExecutable)
}
