internal import Configuration
package import KeychainServices
internal import LinuxSystem

/// Returns the path of an executable program, for a bare name from PATH; nil without one.
///
/// A bare name never runs a program in the current folder, whatever PATH says.
///
/// - Parameter isWanted: Whether a path in PATH counts.
package func programPath(
    _ name: String, where isWanted: (String) -> Bool = { _ in true }
) throws(KeychainError) -> String? {
    guard !name.contains("/") else {
        return SystemCalls.isExecutable(name) ? name : nil
    }
    let folders = try Environment.value("PATH")?.split(separator: ":") ?? []
    return folders.filter { $0.hasPrefix("/") }.map { "\($0)/\(name)" }
        .first { SystemCalls.isExecutable($0) && isWanted($0) }
}
