import Foundation
import Testing

/// A call into the system fails, anywhere in the life of a program, SQLite's and the C library's
/// among them: it succeeds all the same or says that it did not, and nothing is lost.
@Suite(.needs(.tracing, .releaseBuild), .timeLimit(.minutes(600)))
struct FailedCallTorture {
    private static let calls = [
        "openat", "read", "pread64", "write", "pwrite64", "fsync", "fdatasync", "ftruncate",
        "fcntl", "fstat", "newfstatat", "link", "rename", "unlink", "mkdir", "fchmod", "close",
        "lseek", "flock",
    ]
    private static let errors = ["EIO", "EINTR", "ENOSPC", "EACCES"]

    private struct Figures {
        var injected = 0
        var refused = 0
        var untouched = 0
    }

    @Test func failed() async throws {
        let home = try ScratchHome()
        let model = TortureModel()
        var random = TortureRandom(100)
        var figures = Figures()
        let logins = TortureLogin.Program.allCases.map {
            TortureLogin(program: $0, name: "site")
        }
        for login in logins {
            try await run(.write("first"), login, home, nil, model, &figures)
        }
        let end = ContinuousClock.now + Torture.time(0.2)
        var count = 0
        while ContinuousClock.now < end {
            count += 1
            let login = random.element(of: logins)
            let operation: TortureLogin.Operation =
                switch random.number(below: 6) {
                case 0..<3: .write("secret-\(count)")
                case 3: .remove
                default: .read
                }
            let call = random.element(of: Self.calls)
            let error = random.element(of: Self.errors)
            // The first calls are many programs' own, the later ones SQLite's. What fails for ever
            // is a disk that is gone; EINTR for ever does not happen.
            let number = 1 + random.number(below: random.one(in: 2) ? 8 : 40)
            let lasts = error != "EINTR" && random.one(in: 3) ? "+" : ""
            let fault = "\(call):error=\(error):when=\(number)\(lasts)"
            try await run(operation, login, home, fault, model, &figures)
            if count.isMultiple(of: 10) {
                let verified = try await home.lanyard("verify")
                #expect(verified.status == 0, "after \(fault): \(verified)")
            }
        }
        print(
            "failed calls: \(count) operations, \(figures.injected) with a call that failed, "
                + "\(figures.refused) of them refused")
        #expect(figures.injected > 0)
    }

    /// Runs an operation with a fault, and checks what it leaves without one.
    private func run(
        _ operation: TortureLogin.Operation, _ login: TortureLogin, _ home: ScratchHome,
        _ fault: String?, _ model: TortureModel, _ figures: inout Figures
    ) async throws {
        let call = login.call(operation)
        let trace = "\(home.path)/trace"
        var words = call.arguments
        if let fault {
            words =
                ["strace", "-f", "-qq", "-o", trace]
                + ["-e", "trace=\(fault.prefix { $0 != ":" })", "-e", "inject=\(fault)"] + words
        }
        var command = try home.command(
            words[0], Array(words.dropFirst()), input: Array(call.input.utf8))
        command.timeLimit = .seconds(60)
        let outcome = try await command.run()
        let wasInjected =
            try fault != nil
            && String(decoding: home.read(trace), as: UTF8.self).contains("(INJECTED)")
        figures.injected += wasInjected ? 1 : 0
        let wanted: String? = if case .write(let secret) = operation { secret } else { nil }
        let isRead = if case .read = operation { true } else { false }
        let comment: Comment = "\(fault ?? "no fault"): \(operation): \(outcome)"
        switch login.answer(operation, outcome) {
        case .done: model.settle(login, wanted)
        case .secret(let found): #expect(model.states(of: login).contains(found), comment)
        case nil:
            figures.refused += 1
            #expect(wasInjected, comment)
            #expect(outcome.status != nil, comment)
            // What can't be read or written can't be told of either.
            let isTold =
                outcome.errorText.hasPrefix("lanyard: ") || !outcome.output.isEmpty
                || fault?.hasPrefix("write:") == true
            #expect(isTold, comment)
            if !isRead {
                model.doubt(login, wanted)
            }
        }
        let after = try await home.command(
            login.call(.read).arguments[0], Array(login.call(.read).arguments.dropFirst()),
            input: Array(login.call(.read).input.utf8)
        ).run()
        guard case .secret(let found) = login.answer(.read, after) else {
            Issue.record("after \(fault ?? "no fault"): \(after)")
            return
        }
        #expect(model.states(of: login).contains(found), "after \(comment): \(after)")
        model.settle(login, found)
    }
}
