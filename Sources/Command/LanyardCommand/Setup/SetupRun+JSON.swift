internal import KeychainServices
internal import StrictJSON
internal import ToolSetup

extension SetupRun {
    /// Returns the setup as an object. Part of the stable output: see lanyard-setup(1), "JSON".
    func json() throws(KeychainError) -> Secret {
        try JSONWriter.writeObject(invalidText: .replace) { writer throws(KeychainError) in
            try writer.member(objects: "programs", of: programs) {
                writer, program throws(KeychainError) in
                let outcome = outcomes.first { $0.program == program.name }
                try writer.member("name", program.name.rawValue)
                try writer.member("path", program.path)
                try writer.member("version", program.version)
                try writer.member("works", outcome.map { $0.failure == nil })
                try writer.member("reason", outcome?.failure?.reason)
            }
            try writer.member(objects: "tools", of: parts) { writer, part throws(KeychainError) in
                try writer.member("tool", part.tool.name)
                try writer.member("applied", part.isApplied)
                try writer.member("reason", part.failure?.reason)
                try writer.members(of: part.plan)
            }
            try writer.member(objects: "plain_text", of: plainText) {
                writer, file throws(KeychainError) in
                try writer.member("kind", file.kind.rawValue)
                try writer.member("path", file.path)
                try writer.member("logins", file.logins)
                try writer.member("command", file.importCommand)
            }
        }
    }
}

extension SetupPlan {
    /// Returns plans as an array.
    static func json(_ plans: [SetupPlan]) throws(KeychainError) -> Secret {
        try JSONWriter.write(invalidText: .replace) { writer throws(KeychainError) in
            try writer.writeObjects(of: plans) { writer, plan throws(KeychainError) in
                try writer.member("tool", plan.tool.name)
                try writer.members(of: plan)
            }
        }
    }
}

extension JSONWriter {
    fileprivate mutating func members(of plan: SetupPlan?) throws(KeychainError) {
        try member(objects: "changes", of: plan?.changes ?? []) {
            writer, change throws(KeychainError) in
            try writer.member("action", change.kind.verb)
            try writer.member("path", change.path)
            try writer.member("summary", change.summary)
            try writer.member("lines", change.lines)
        }
        let notes = (plan?.notes ?? []) + (plan?.unusedLogins.map(\.note) ?? [])
        try member("notes", notes)
    }
}
