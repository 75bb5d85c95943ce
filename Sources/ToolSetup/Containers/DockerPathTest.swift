internal import KeychainServices

/// Tries the path to logins of docker, by the helper that its configuration names, and of skopeo and
/// buildah, by what they themselves say.
///
/// podman is not run, as an ordinary user's leaves a process behind for later ones (`podman pause`), a
/// message bus where there was none, and a store of images: what it asks is told by its configuration.
struct DockerPathTest {
    let environment: SetupEnvironment

    /// What came of it for each program.
    func run(_ programs: [ToolProgram.Name]) async -> [PathTest.Outcome] {
        var outcomes: [PathTest.Outcome] = []
        do throws(KeychainError) {
            let login = try TrialLogin()
            let helper = try helper()
            do throws(KeychainError) {
                try await store(login, helper)
                for program in programs {
                    outcomes.append(
                        PathTest.Outcome(
                            program: program, failure: await failure(program, login, helper)))
                }
            } catch {
                _ = try? await call(helper, "erase", Array(login.host.utf8))
                throw error
            }
            let erased = try await call(helper, "erase", Array(login.host.utf8))
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

    /// The program of the helper that docker's configuration names.
    private func helper() throws(KeychainError) -> ForeignProgram {
        let file = try TargetFile(try DockerSetup(environment: environment).file())
        let text = try DockerConfigText(file.bytes ?? [], path: file.path)
        guard let store = text.store else {
            throw KeychainError(
                .notAvailable, "docker's configuration names no helper",
                hint: "lanyard setup docker")
        }
        let name = "docker-credential-\(store)"
        guard environment.finds(name) else {
            throw KeychainError(
                .notAvailable, "\(name) is not on the PATH, where tools look",
                hint: "add its folder to PATH")
        }
        return ForeignProgram(name, environment)
    }

    private func store(
        _ login: TrialLogin, _ helper: ForeignProgram
    ) async throws(KeychainError) {
        // Nothing in a made-up login needs an escape.
        let request =
            #"{"ServerURL":"\#(login.host)","Username":"\#(login.username)","#
            + #""Secret":"\#(login.password)"}"#
        let answer = try await call(helper, "store", Array(request.utf8))
        guard answer.succeeded else {
            throw PathTest.failure(complaint(answer), otherwise: "the helper can't store a login")
        }
    }

    private func failure(
        _ program: ToolProgram.Name, _ login: TrialLogin, _ helper: ForeignProgram
    ) async -> KeychainError? {
        do throws(KeychainError) {
            switch program {
            case .git:
                return nil
            case .docker:
                return try await answerFailure(login, helper)
            case .podman:
                let setup = ContainersSetup(environment: environment)
                guard try setup.settingInForce()?.isLanyard == true else {
                    return KeychainError(
                        .notAvailable, "podman's configuration names another helper than lanyard",
                        hint: "lanyard doctor")
                }
                return try await answerFailure(
                    login, ForeignProgram(DockerSetup.helper, environment))
            case .skopeo, .buildah:
                let answer = try await ForeignProgram(program.rawValue, environment).run(
                    ["login", "--get-login", login.host], variables: ["LANYARD_NO_PROMPT": "1"])
                let user = String(decoding: answer.output, as: UTF8.self)
                    .split(whereSeparator: \.isNewline).first
                return answer.succeeded && user == login.username[...]
                    ? nil
                    : PathTest.failure(
                        answer.complaint,
                        otherwise: "\(program.rawValue) does not find a login in lanyard")
            }
        } catch {
            return error
        }
    }

    /// Why a helper does not answer with a login that it has stored, nil if it does.
    private func answerFailure(
        _ login: TrialLogin, _ helper: ForeignProgram
    ) async throws(KeychainError) -> KeychainError? {
        let answer = try await call(helper, "get", Array(login.host.utf8))
        let text = String(decoding: answer.output, as: UTF8.self)
        guard answer.succeeded, text.contains("\"\(login.password)\"") else {
            return PathTest.failure(
                complaint(answer), otherwise: "the helper does not find a stored login")
        }
        return nil
    }

    private func call(
        _ helper: ForeignProgram, _ operation: String, _ request: [UInt8]
    ) async throws(KeychainError) -> ForeignProgram.Answer {
        try await helper.run([operation], input: request, variables: ["LANYARD_NO_PROMPT": "1"])
    }

    /// docker's helpers say on standard output what went wrong.
    private func complaint(_ answer: ForeignProgram.Answer) -> String {
        let reason =
            String(decoding: answer.output, as: UTF8.self)
            .split(whereSeparator: \.isNewline).first ?? ""
        return answer.succeeded ? "" : "lanyard: error: \(reason)\n\(answer.complaint)"
    }
}
