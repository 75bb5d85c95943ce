import Foundation
import TestSupport
import Testing
@testable import EndToEndRig

/// A call into the system fails, anywhere in the life of a program, SQLite's and the C library's
/// among them: it still succeeds, or says that it did not, and nothing is lost.
@Suite(.needs(.tracing, .releaseBuild), .timeLimit(.minutes(600)))
struct FailedCallTorture {
    /// What is about files, also those that the C library opens.
    private static let calls =
        "openat,openat2,read,pread64,write,pwrite64,fsync,fdatasync,ftruncate,fcntl,fstat,newfstatat,"
        + "linkat,link,rename,renameat,unlink,unlinkat,mkdir,mkdirat,fchmod,close,lseek,flock"
    private static let errors = ["EIO", "EINTR", "ENOSPC", "EACCES"]

    private struct Figures {
        var injected = 0
        var refused = 0
    }

    @Test func failed() async throws {
        let home = try ScratchHome()
        let model = TortureModel()
        var random = SeededRandom(stream: 100)
        var figures = Figures()
        let logins = TortureLogin.Program.allCases.map {
            TortureLogin(program: $0, name: "site")
        }
        for login in logins {
            try await run(.write("first"), login, home, nil, model, &figures)
        }
        var made: [String: [Call]] = [:]
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
            let kind = "\(login.program) \(operation.description.prefix { $0 != " " })"
            if made[kind] == nil {
                made[kind] = try await trace(operation, login, home)
            }
            let call = random.element(of: try #require(made[kind]))
            let error = random.element(of: Self.errors)
            // What fails for ever is a disk that is gone; EINTR for ever does not happen.
            let lasts = error != "EINTR" && random.one(in: 3) ? "+" : ""
            let fault = "\(call.name):error=\(error):when=\(call.number)\(lasts)"
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

    /// One of the calls that a program makes: the how manieth of its name.
    private struct Call {
        let name: String
        let number: Int
    }

    /// The calls that an operation makes when nothing fails.
    private func trace(
        _ operation: TortureLogin.Operation, _ login: TortureLogin, _ home: ScratchHome
    ) async throws -> [Call] {
        let call = login.call(operation)
        let file = "\(home.path)/trace"
        let copy = "\(home.path)/copy"
        try await home.shell("rm -rf \"$1\"; cp -a \"$LANYARD_HOME\" \"$1\"", copy)
        let arguments = ["-qq", "-o", file, "-e", "trace=\(Self.calls)"] + call.arguments
        _ = try await home.command(
            "strace", arguments, input: Array(call.input.utf8),
            variables: ["LANYARD_HOME": copy]
        ).run()
        var counts: [String: Int] = [:]
        return String(decoding: try home.read(file), as: UTF8.self).split(separator: "\n")
            .compactMap {
                let name = String($0.prefix { $0 != "(" })
                counts[name, default: 0] += 1
                // Where Swift can't read its arguments it ends the process before we are there.
                guard !$0.contains("/proc/self/cmdline") else {
                    return nil
                }
                return Call(name: name, number: counts[name, default: 0])
            }
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
