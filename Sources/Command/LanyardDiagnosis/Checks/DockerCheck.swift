internal import KeychainServices
internal import ToolSetup

/// Checks docker's configuration.
struct DockerCheck: Check {
    static let name = "docker's configuration"

    func findings(_ context: DiagnosisContext) -> [Finding] {
        // podman and others read the file, too.
        let hasDocker = context.has(.docker)
        var findings: [Finding] = []
        if hasDocker, context.environment.value("DOCKER_AUTH_CONFIG") != nil {
            findings.append(
                Finding(
                    .dockerAuthVariable, "DOCKER_AUTH_CONFIG is set",
                    advice: "store its logins (docker login), then unset DOCKER_AUTH_CONFIG"))
        }
        do throws(KeychainError) {
            let path = try DockerSetup(environment: context.environment).file()
            let text = try DockerConfigText(try TargetFile(path).bytes ?? "", path: path)
            for (registry, helper) in text.registryHelpers {
                findings.append(finding(registry, helper, path, context))
            }
            if hasDocker {
                findings += finding(text, path, context).map { [$0] } ?? []
            }
        } catch {
            // Without docker the file matters if it is there: a setup fails on it, and podman reads it.
            guard hasDocker || context.home != nil else {
                return findings
            }
            let meaning = hasDocker ? nil : "its setup fails, and podman and others can't read it"
            // Only the command that lets the user read it is such a hint.
            if error.status == .writePermissions, let command = error.hint {
                return findings + [
                    Finding(
                        .dockerConfigurationUnreadable, "\(said: error.reason)",
                        command: "\(plain: command)", meaning: meaning)
                ]
            }
            let hasHome = (try? context.environment.home()) != nil
            // Without a home folder and LANYARD_HOME, the check of folders says so.
            if hasHome || context.placesFailure == nil {
                findings.append(
                    Finding(
                        .dockerConfigurationUnreadable, "\(said: error.reason)",
                        advice: hasHome
                            ? "fix the file with an editor" : "set HOME to your home folder",
                        meaning: meaning))
            }
        }
        return findings
    }

    /// Checks a helper for one registry.
    private func finding(
        _ registry: String, _ helper: String, _ path: String, _ context: DiagnosisContext
    ) -> Finding {
        guard canRun(helper, context) else {
            return Finding(
                .dockerHelperMissing,
                "docker asks '\(name: helper)' for logins to '\(host: registry)',"
                    + " which can't be run (\(path: path))",
                advice:
                    "install docker-credential-\(name: helper), or remove its line in credHelpers")
        }
        if let complaint = complaint(of: helper, context) {
            return Finding(
                .dockerHelperFails,
                "docker asks '\(name: helper)' for logins to '\(host: registry)', which fails:"
                    + " \(said: complaint)",
                advice: "fix docker-credential-\(name: helper), or remove '\(host: registry)' from"
                    + " credHelpers in '\(path: path)': docker then asks lanyard, if it is set up")
        }
        return Finding(
            .dockerRegistryHelper,
            "'\(name: helper)' stores the login for '\(host: registry)' (\(path: path))",
            advice: "nothing to do if that is intended")
    }

    /// Checks the helper for all others.
    private func finding(
        _ text: DockerConfigText, _ path: String, _ context: DiagnosisContext
    ) -> Finding? {
        guard !text.isSetUp else {
            return nil
        }
        guard let helper = text.store else {
            return Finding(
                .dockerNotSetUp, "docker's configuration '\(path: path)' names no helper",
                command: context.setupDocker())
        }
        guard canRun(helper, context) else {
            return Finding(
                .dockerHelperMissing,
                "docker stores its logins in '\(name: helper)', which can't be run (\(path: path))",
                command: context.setupDocker())
        }
        if let complaint = complaint(of: helper, context) {
            return Finding(
                .dockerHelperFails,
                "docker stores its logins in '\(name: helper)' (\(path: path)), which fails:"
                    + " \(said: complaint)",
                command: context.setupDocker())
        }
        return Finding(
            .dockerOtherHelper, "docker stores its logins in '\(name: helper)' (\(path: path))",
            command: context.setupDocker())
    }

    /// Returns why a helper that starts can't give a login; nil if it can. It is asked for the login of a host that can't
    /// exist, and for its list: some answer only one of the two, and neither asks the user or reads a secret.
    private func complaint(of helper: String, _ context: DiagnosisContext) -> String? {
        let program = ForeignProgram("docker-credential-\(helper)", context.environment)
        guard
            let get = try? program.run(
                ["get"], input: "https://lanyard-doctor.invalid",
                variables: ForeignProgram.withoutPrompts),
            !get.succeeded
        else {
            return nil
        }
        // docker's helpers report errors on standard output.
        let said = String(decoding: get.output, as: UTF8.self) + get.complaint
        guard !said.lowercased().contains("not found"),
            (try? program.run(["list"], variables: ForeignProgram.withoutPrompts))?.succeeded
                != true
        else {
            return nil
        }
        return said.split(whereSeparator: \.isNewline).first.map { String($0.prefix(200)) }
            ?? "it says nothing"
    }

    /// Whether a helper exists and starts. The check sends it no request.
    private func canRun(_ helper: String, _ context: DiagnosisContext) -> Bool {
        let program = ForeignProgram("docker-credential-\(helper)", context.environment)
        return (try? program.run([])) != nil
    }
}
