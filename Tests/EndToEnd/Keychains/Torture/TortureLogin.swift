@testable import EndToEndRig

/// A login that one of the programs keeps, and how to make that program change it.
struct TortureLogin: Hashable, Sendable {
    enum Program: CaseIterable, Sendable {
        case lanyard, git, docker
    }

    /// What is done to it.
    enum Operation: Sendable, CustomStringConvertible {
        case write(String)
        case remove
        case read

        var description: String {
            switch self {
            case .write(let secret): "write \(secret)"
            case .remove: "remove"
            case .read: "read"
            }
        }
    }

    /// A program with what it is given.
    struct Call: Sendable {
        var arguments: [String]
        var input: String
    }

    let program: Program
    let name: String

    func call(_ operation: Operation) -> Call {
        switch program {
        case .lanyard: lanyard(operation)
        case .git: git(operation)
        case .docker: docker(operation)
        }
    }

    private func lanyard(_ operation: Operation) -> Call {
        switch operation {
        case .write(let secret):
            Call(arguments: ["lanyard", "set", "--stdin", name, "ada"], input: secret)
        case .remove: Call(arguments: ["lanyard", "remove", name, "ada"], input: "")
        case .read: Call(arguments: ["lanyard", "get", name, "ada"], input: "")
        }
    }

    private func git(_ operation: Operation) -> Call {
        let server = "protocol=https\nhost=\(name).example\nusername=ada\n"
        return switch operation {
        case .write(let secret):
            Call(
                arguments: ["git-credential-lanyard", "store"],
                input: "\(server)password=\(secret)\n")
        case .remove: Call(arguments: ["git-credential-lanyard", "erase"], input: server)
        case .read: Call(arguments: ["git-credential-lanyard", "get"], input: server)
        }
    }

    private func docker(_ operation: Operation) -> Call {
        let server = "https://\(name).example"
        return switch operation {
        case .write(let secret):
            Call(
                arguments: ["docker-credential-lanyard", "store"],
                input: #"{"ServerURL":"\#(server)","Username":"ada","Secret":"\#(secret)"}"#)
        case .remove: Call(arguments: ["docker-credential-lanyard", "erase"], input: server)
        case .read: Call(arguments: ["docker-credential-lanyard", "get"], input: server)
        }
    }

    /// What an operation that ended says: the secret that was read, or that there is none.
    ///
    /// - Returns: nil if it was refused.
    func answer(_ operation: Operation, _ outcome: Outcome) -> Answer? {
        let isMissing: Bool
        switch program {
        case .lanyard:
            isMissing = outcome.status == 44
        case .git:
            isMissing = outcome.status == 0 && outcome.output.isEmpty
        case .docker:
            isMissing =
                outcome.status == 1
                && outcome.outputText == "credentials not found in native keychain\n"
        }
        switch operation {
        case .write: return outcome.status == 0 ? .done : nil
        // What is not there need not be removed, whatever a program says of it.
        case .remove: return outcome.status == 0 || isMissing ? .done : nil
        case .read:
            guard !isMissing else {
                return .secret(nil)
            }
            return outcome.status == 0 ? secret(outcome.outputText).map { .secret($0) } : nil
        }
    }

    enum Answer: Equatable {
        case done
        case secret(String?)
    }

    private func secret(_ output: String) -> String? {
        let (before, after) =
            switch program {
            case .lanyard: ("", "\n")
            case .git: ("username=ada\npassword=", "\n")
            case .docker:
                (#"{"ServerURL":"https://\#(name).example","Username":"ada","Secret":""#, "\"}\n")
            }
        guard output.hasPrefix(before), output.hasSuffix(after) else {
            return nil
        }
        return String(output.dropFirst(before.count).dropLast(after.count))
    }
}
