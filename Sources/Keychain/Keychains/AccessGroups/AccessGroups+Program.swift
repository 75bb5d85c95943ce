internal import LanyardConfiguration
public import KeychainServices
internal import LinuxSystem
internal import Synchronization

private let programGroups = Mutex(ProgramAccessGroups())

extension AccessGroups {
    /// Returns the access groups of this program: those that ``setForThisProgram(_:)`` set, else those in
    /// `LANYARD_ACCESS_GROUP`, else the program's name.
    ///
    /// The variable lists names with colons between them, of which the first gets new items:
    /// `my-program:company`. The program's name is that of the executable's file, with symbolic links
    /// followed: the last component of `/proc/self/exe`. The name in the arguments does not count, because
    /// the caller chooses it. A renamed program therefore has another group, and so has a script, whose
    /// executable is its interpreter.
    ///
    /// - Throws: ``Status/missingEntitlement`` if the name is unknown, as without `/proc`;
    ///   ``Status/param`` if the variable is not UTF-8 or has an empty name.
    public static func ofThisProgram() throws(KeychainError) -> AccessGroups {
        try programGroups.withLock { groups throws(KeychainError) in
            try groups.use(
                variable: { () throws(KeychainError) in
                    try Environment.value("LANYARD_ACCESS_GROUP")
                },
                name: {
                    let path = try? SystemCalls.readLink("/proc/self/exe")
                    return path.flatMap(programName(of:))
                })
        }
    }

    /// Sets the access groups of this program, whatever its environment says. Call it once, before the
    /// program opens a keychain or calls a function of the module Security.
    ///
    ///     try AccessGroups.setForThisProgram(AccessGroups("my-program", others: ["company"]))
    ///
    /// - Throws: ``Status/param`` if the groups are set or in use.
    ///
    /// The corresponding entitlement is keychain-access-groups.
    public static func setForThisProgram(_ groups: AccessGroups) throws(KeychainError) {
        try programGroups.withLock { program throws(KeychainError) in try program.set(groups) }
    }

    /// Returns the name of the executable that the kernel's link refers to, nil if it is empty.
    ///
    /// - Parameter path: The link's target; the kernel marks a file that was replaced by an update.
    static func programName(of path: String) -> String? {
        let mark = " (deleted)"
        let path = path.hasSuffix(mark) ? String(path.dropLast(mark.count)) : path
        let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
        return name.isEmpty ? nil : String(name)
    }
}
