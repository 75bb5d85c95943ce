/// Returns the path of one of Lanyard's commands: next to the running program, with links resolved, or in the
/// folder of commands of its installation, which is `../../bin` seen from it; nil if it is in neither.
///
/// - Parameter program: The running program's path; nil asks the system.
package func findInstalledCommand(_ name: String, besideProgram program: String? = nil) -> String? {
    guard let program = SystemCalls.realPath(program ?? "/proc/self/exe"),
        let folder = PrivatePlace.parent(of: program)
    else {
        return nil
    }
    let installed = PrivatePlace.parent(of: folder).flatMap { PrivatePlace.parent(of: $0) }
    return [folder, "\(installed ?? "")/bin"].map { "\($0)/\(name)" }
        .first { SystemCalls.realPath($0) != nil }
}
