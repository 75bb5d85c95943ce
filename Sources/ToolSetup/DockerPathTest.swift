internal import Keychain

/// Tries the path to logins of docker, by the helper that its configuration names, and of podman,
/// skopeo and buildah, by what they themselves say.
struct DockerPathTest {
    let environment: SetupEnvironment

    /// What came of it for each program.
    func run(_ programs: [ToolProgram.Name]) async -> [PathTest.Outcome] {
        var outcomes: [PathTest.Outcome] = []
        do throws(KeychainError) {
            let login = try MadeUpLogin()
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
        guard let value = text.credsStore, value.count > 2 else {
            throw KeychainError(
                .notAvailable, "docker's configuration names no helper",
                hint: "lanyard setup docker")
        }
        let name =
            "docker-credential-\(String(decoding: value.dropFirst().dropLast(), as: UTF8.self))"
        guard environment.finds(name) else {
            throw KeychainError(
                .notAvailable, "\(name) is not on the PATH, where tools look",
                hint: "add its folder to PATH")
        }
        return ForeignProgram(name, environment)
    }

    private func store(
        _ login: MadeUpLogin, _ helper: ForeignProgram
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
        _ program: ToolProgram.Name, _ login: MadeUpLogin, _ helper: ForeignProgram
    ) async -> KeychainError? {
        do throws(KeychainError) {
            switch program {
            case .git:
                return nil
            case .docker:
                let answer = try await call(helper, "get", Array(login.host.utf8))
                let text = String(decoding: answer.output, as: UTF8.self)
                let isRight = answer.succeeded && text.contains("\"\(login.password)\"")
                return isRight
                    ? nil
                    : PathTest.failure(
                        complaint(answer), otherwise: "the helper does not find a stored login")
            case .podman, .skopeo, .buildah:
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
