package import KeychainServices
internal import LinuxSystem

/// The program that is the Secret Service on the session bus. Nothing is started to find out.
package struct ServiceOwner: Sendable {
    /// Its process.
    package let process: Int32
    /// Its executable; if only root may know that, the name that it was started by.
    package let program: String
    /// Whether the executable is known, and not only a name.
    package let isExecutableKnown: Bool
    /// Whether it is Lanyard's.
    package let isLanyard: Bool
    /// How many items it has; nil if it does not tell, perhaps because they are locked.
    package let items: Int?

    /// The program's name.
    package var name: String { program.lastPathComponent }

    /// Asks the bus and the owner, within ten seconds.
    ///
    /// - Parameter program: The path of lanyard-secret-service, which can talk to a bus.
    /// - Returns: Nil if no program is the Secret Service.
    /// - Throws: ``Status/notAvailable`` if the bus can't be reached.
    package static func find(
        _ program: String, _ environment: SetupEnvironment
    ) throws(KeychainError) -> ServiceOwner? {
        // It would look for another name.
        let answer = try ForeignProgram(program, environment).run(
            ["--report"], variables: ["SECRET_SERVICE_BUS_NAME": nil])
        guard answer.succeeded else {
            throw PathTest.failure(
                answer.complaint,
                otherwise: "\(program) can't tell which program is the Secret Service")
        }
        return ServiceOwner(report: String(decoding: answer.output, as: UTF8.self))
    }

    /// Whether it may still run what an upgrade has replaced, or what is not next to this lanyard.
    package func isOther(than program: String) -> Bool {
        isExecutableKnown
            ? !PrivatePlace.areSame("/proc/\(process)/exe", program)
            : self.program.hasPrefix("/") && !PrivatePlace.areSame(self.program, program)
    }

    /// Parses lines such as `owner other`, `process 12` and `items 3`.
    init?(report: String) {
        var values: [Substring: Substring] = [:]
        for line in report.split(separator: "\n") {
            let words = line.split(separator: " ", maxSplits: 1)
            if words.count == 2 {
                values[words[0]] = words[1]
            }
        }
        guard let owner = values["owner"], owner != "none" else {
            return nil
        }
        isLanyard = owner == "lanyard"
        process = values["process"].flatMap { Int32($0) } ?? 0
        let executable = SystemCalls.programPath(of: process)
        isExecutableKnown = executable != nil
        program = executable ?? ServiceOwner.command(of: process)
        items = values["items"].flatMap { Int($0) }
    }

    /// Returns the name that a process was started by. Processes with secrets hide their executable, but not this.
    private static func command(of process: Int32) -> String {
        let arguments = (try? TargetFile("/proc/\(process)/cmdline"))?.bytes ?? ""
        let name = String(decoding: arguments.prefix { $0 != 0 }, as: UTF8.self)
        return name.isEmpty ? "process \(process)" : name
    }
}
