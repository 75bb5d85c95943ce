internal import KeychainServices

/// Tests the path to docker's logins through its configured helper, and to those of skopeo and buildah
/// through these programs.
///
/// podman is not run. For ordinary users it leaves a process (`podman pause`), possibly a message bus, and
/// an image store behind. Its configuration shows which helper it asks.
struct DockerPathTest {
    let environment: SetupEnvironment

    /// Returns the result for each program.
    func run(_ programs: [ToolProgram.Name]) -> [PathTest.Outcome] {
        var outcomes: [PathTest.Outcome] = []
        do throws(KeychainError) {
            let login = try TrialLogin()
            var failureOfDocker: KeychainError?
            let helper: ForeignProgram
            do throws(KeychainError) {
                helper = try self.helper()
            } catch
                where error.status != .notAvailable && programs.contains(where: { $0 != .docker })
            {
                // The others don't ask the helper that docker's configuration names.
                failureOfDocker = error
                helper = ForeignProgram(DockerSetup.helper, environment)
            }
            do throws(KeychainError) {
                try store(login, helper)
                for program in programs {
                    let known = program == .docker ? failureOfDocker : nil
                    outcomes.append(
                        PathTest.Outcome(
                            program: program, failure: known ?? failure(program, login, helper)))
                }
            } catch {
                _ = try? helper.run(["erase"], input: FileBytes(login.host))
                throw error
            }
            let erased = try helper.run(["erase"], input: FileBytes(login.host))
            guard erased.succeeded else {
                throw PathTest.failure(
                    complaint(erased),
                    otherwise: "the made-up login for '\(login.host)' can't be removed")
            }
            return outcomes
        } catch {
            return programs.map { PathTest.Outcome(program: $0, failure: error) }
        }
    }

    /// Returns the program of the helper in docker's configuration.
    private func helper() throws(KeychainError) -> ForeignProgram {
        let file = try TargetFile(try DockerSetup(environment: environment).file())
        let text = try DockerConfigText(file.bytes ?? "", path: file.path)
        guard let store = text.store else {
            throw KeychainError(
                .notAvailable, "docker's configuration names no helper",
                hint: "lanyard setup docker")
        }
        let name = "docker-credential-\(store)"
        guard environment.finds(name) else {
            throw UnrunnableProgram(name, environment)?.error
                ?? KeychainError(
                    .notAvailable, "\(name) is not on the PATH",
                    hint: "add its folder to PATH")
        }
        return ForeignProgram(name, environment)
    }

    private func store(
        _ login: TrialLogin, _ helper: ForeignProgram
    ) throws(KeychainError) {
        // Nothing in a trial login needs escaping.
        let request =
            #"{"ServerURL":"\#(login.host)","Username":"\#(login.username)","#
            + #""Secret":"\#(login.password)"}"#
        let answer = try helper.run(["store"], input: FileBytes(request))
        guard answer.succeeded else {
            throw PathTest.failure(complaint(answer), otherwise: "the helper can't store a login")
        }
    }

    private func failure(
        _ program: ToolProgram.Name, _ login: TrialLogin, _ helper: ForeignProgram
    ) -> KeychainError? {
        do throws(KeychainError) {
            switch program {
            case .git:
                return nil
            case .docker:
                return try answerFailure(login, helper)
            case .podman:
                let setup = ContainersSetup(environment: environment)
                guard try setup.settingInForce()?.isLanyard == true else {
                    return KeychainError(
                        .notAvailable, "podman's configuration names another helper than lanyard",
                        hint: "lanyard doctor")
                }
                return try answerFailure(
                    login, ForeignProgram(DockerSetup.helper, environment))
            case .skopeo, .buildah:
                let answer = try ForeignProgram(program.rawValue, environment).run(
                    ["login", "--get-login", login.host])
                let user = String(decoding: answer.output, as: UTF8.self)
                    .split(whereSeparator: \.isNewline).first
                return answer.succeeded && user == login.username[...]
                    ? nil
                    : PathTest.failure(
                        answer.complaint,
                        otherwise: "\(program.rawValue) does not find a login in lanyard",
                        of: login)
            }
        } catch {
            return error
        }
    }

    /// Returns why a helper does not answer with a stored login, nil if it does.
    private func answerFailure(
        _ login: TrialLogin, _ helper: ForeignProgram
    ) throws(KeychainError) -> KeychainError? {
        let answer = try helper.run(["get"], input: FileBytes(login.host))
        let text = String(decoding: answer.output, as: UTF8.self)
        guard answer.succeeded, text.contains("\"\(login.password)\"") else {
            return PathTest.failure(
                complaint(answer), otherwise: "the helper does not find a stored login")
        }
        return nil
    }

    /// Returns docker's error message, which its helpers write to standard output.
    private func complaint(_ answer: ForeignProgram.Answer) -> String {
        let reason =
            String(decoding: answer.output, as: UTF8.self)
            .split(whereSeparator: \.isNewline).first ?? ""
        return answer.succeeded ? "" : "lanyard: error: \(reason)\n\(answer.complaint)"
    }
}
