internal import Glibc
public import KeychainServices
internal import LinuxSystem

/// Runs `lanyard lock --on EVENT`, which reads the settings of the keychains at that moment.
///
/// - Throws: ``Status/notAvailable`` if there is no lanyard next to the program, nor in `../../bin` seen
///   from it; ``Status/io`` if it does not end within four seconds, or fails.
public func runLockCommand(on event: String) throws(KeychainError) {
    guard let path = Installation()?.command("lanyard") else {
        throw KeychainError(.notAvailable, "the program lanyard is missing")
    }
    do throws(SystemCallError) {
        let process = try SystemCalls.startProcess(
            path, ["lock", "--on", event], input: nil, output: 1, showsErrors: true)
        // logind lets the machine sleep after five seconds.
        let status = SystemCalls.exitStatus(
            of: process, until: Deadline(milliseconds: 4000))
        guard let status else {
            SystemCalls.endProcess(process)
            throw SystemCallError(call: "waitpid", code: ETIMEDOUT)
        }
        guard status == 0 else {
            throw SystemCallError(call: "waitpid", code: EIO)
        }
    } catch {
        throw KeychainError(.io, "lanyard lock --on \(event) failed: \(error.words)")
    }
}
