internal import LanyardConfiguration
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
    return SystemCalls.executable(
        name, inPath: try Environment.value("PATH") ?? "", where: isWanted)
}
