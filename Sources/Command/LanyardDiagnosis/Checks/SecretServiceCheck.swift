internal import LanyardConfiguration
internal import Keychains
internal import KeychainServices
internal import LinuxSystem
internal import ToolSetup

/// Checks which program is the Secret Service of the session, and whether the setup of Lanyard's works.
struct SecretServiceCheck: Check {
    static let name = "the Secret Service"

    func findings(_ context: DiagnosisContext) -> [Finding] {
        let environment = context.environment
        let files = ActivationFile.all(environment)
        let unit = UserServices.installedUnit(environment)
        let isSetUp = unit != nil || files.contains { $0.isOfUser && $0.isLanyards }
        if let lacking = lacking(context, isSetUp: isSetUp), isSetUp || environment.hasSessionBus {
            return [lacking]
        }
        guard environment.hasSessionBus else {
            return isSetUp
                ? [
                    Finding(
                        .secretServiceNoBus,
                        "Lanyard is the Secret Service, but there is no session bus here",
                        advice:
                            "lanyard exec --secret-service -- COMMAND makes a bus for one command")
                ] : []
        }
        let program: String
        let owner: ServiceOwner?
        do throws(KeychainError) {
            program = try SecretServiceSetup(environment: environment).program()
            owner = try ServiceOwner.find(program, environment)
        } catch {
            // Without a setup, Lanyard's service may be missing.
            return isSetUp
                ? [
                    Finding(
                        .secretServiceUnknown,
                        "which program is the Secret Service is unknown: \(said: error.reason)",
                        advice:
                            "install the package lanyard-secret-service, or end the session and log in"
                    )
                ] : []
        }
        var findings = files.first.map { ofFiles($0, files, program) } ?? []
        if let unit, !PrivatePlace.areSame(unit, program) {
            findings.append(otherPath(unit, program))
        }
        // A missing program is why nothing runs.
        guard findings.allSatisfy({ $0.code == .secretServiceSeveralFiles }) else {
            return unique(findings)
        }
        let other = ofOwner(owner, program, files, hasUnit: unit != nil, environment)
        return findings + [other].compactMap(\.self)
    }

    /// Finds that a program of Lanyard's for the Secret Service can't start for want of a library.
    private func lacking(_ context: DiagnosisContext, isSetUp: Bool) -> Finding? {
        let configuration = context.configuration
        let isUsed =
            isSetUp || configuration?.hasUsedSecretService == true
            || (try? configuration?.searchList().isChosen) == true
        // Both names are one program.
        return ["lanyard-secret-service", "lanyard-keychain-secret-service"].lazy
            .compactMap { context.environment.path(ofNeighbour: $0) }.first
            .flatMap { MissingLibrary(of: $0, context.environment) }?.finding(isUsed: isUsed)
    }

    /// Checks the file by which the bus starts a program.
    private func ofFiles(
        _ first: ActivationFile, _ files: [ActivationFile], _ program: String
    ) -> [Finding] {
        var findings: [Finding] = []
        let own = files.first { $0.isLanyards && $0.isOfUser }
        // The system's files are meant to be overruled.
        if let other = files.first(where: { $0.isOfUser && !$0.isLanyards }), let own {
            findings.append(
                Finding(
                    .secretServiceSeveralFiles,
                    "'\(path: own.path)' and '\(path: other.path)' both start the Secret Service",
                    advice: "keep one of them: to keep Lanyard's, rm \(quoted: other.path)"))
        }
        guard !SystemCalls.isExecutable(first.program) else {
            if first.isLanyards, !PrivatePlace.areSame(first.program, program) {
                findings.append(otherPath(first.program, program))
            }
            return findings
        }
        findings.append(
            Finding(
                .secretServiceProgramMissing,
                "'\(path: first.path)' starts '\(path: first.program)', which is missing",
                command: "lanyard setup secret-service"))
        return findings
    }

    private func otherPath(_ old: String, _ program: String) -> Finding {
        SystemCalls.isExecutable(old)
            ? Finding(
                .secretServiceOtherPath,
                "the Secret Service is set up with '\(path: old)', and lanyard is next to '\(path: program)'",
                command: "lanyard setup secret-service")
            : Finding(
                .secretServiceProgramMissing,
                "the Secret Service is set up with '\(path: old)', which is missing",
                command: "lanyard setup secret-service")
    }

    /// Checks the program that is the Secret Service now.
    private func ofOwner(
        _ owner: ServiceOwner?, _ program: String, _ files: [ActivationFile], hasUnit: Bool,
        _ environment: SetupEnvironment
    ) -> Finding? {
        let isSetUp = hasUnit || files.first?.isLanyards == true
        guard let owner else {
            if hasUnit, let services = UserServices(environment), !services.isActive() {
                return Finding(
                    .secretServiceNotRunning,
                    "the unit \(plain: UserServices.unit) does not run",
                    command: "systemctl --user restart \(plain: UserServices.unit)")
            }
            return files.isEmpty
                ? Finding(
                    .secretServiceNone, "no program is the Secret Service here",
                    command: "lanyard setup secret-service") : nil
        }
        guard !owner.isLanyard else {
            // An upgrade replaces the program, and the old one continues.
            return !owner.isOther(than: program)
                ? nil
                : Finding(
                    .secretServiceOldProgram,
                    "'\(path: owner.program)' is the Secret Service, and not '\(path: program)'",
                    command: "kill \(Int(owner.process))")
        }
        guard isSetUp else {
            return Finding(
                .secretServiceOther,
                "'\(path: owner.program)' is the Secret Service here\(items(owner))",
                advice: "nothing to do if that is intended, else lanyard setup secret-service")
        }
        return Finding(
            .secretServiceDisplaced,
            "'\(path: owner.program)' is the Secret Service, though Lanyard is set up\(items(owner))",
            advice: "end it: log out and in, or kill \(Int(owner.process))")
    }

    private func items(_ owner: ServiceOwner) -> FindingText {
        switch owner.items {
        case nil: ""
        case 0?: ", without items"
        case 1?: ", with 1 item"
        case let count?: ", with \(count) items"
        }
    }

    /// Returns one finding of each code: the unit and the bus' file name the same program.
    private func unique(_ findings: [Finding]) -> [Finding] {
        var codes: Set<FindingCode> = []
        return findings.filter { codes.insert($0.code).inserted }
    }
}
