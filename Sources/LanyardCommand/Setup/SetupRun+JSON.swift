internal import KeychainServices
internal import StrictJSON
internal import ToolSetup

extension SetupRun {
    /// Returns the setup as an object. Part of the stable output: see lanyard-setup(1), "JSON".
    func json() throws(KeychainError) -> Secret {
        try JSONWriter.write(invalidText: .replace) { writer throws(KeychainError) in
            try writer.writeObject { writer throws(KeychainError) in
                try writer.member("programs") { writer throws(KeychainError) in
                    try writer.writeArray { writer throws(KeychainError) in
                        for program in programs {
                            try writer.writeProgram(program, outcomes)
                        }
                    }
                }
                try writer.member("tools") { writer throws(KeychainError) in
                    try writer.writeArray { writer throws(KeychainError) in
                        for part in parts {
                            try writer.writePart(part)
                        }
                    }
                }
                try writer.member("plain_text") { writer throws(KeychainError) in
                    try writer.writeArray { writer throws(KeychainError) in
                        for file in plainText {
                            try writer.writeFile(file)
                        }
                    }
                }
            }
        }
    }
}

extension SetupPlan {
    /// Returns plans as an array.
    static func json(_ plans: [SetupPlan]) throws(KeychainError) -> Secret {
        try JSONWriter.write(invalidText: .replace) { writer throws(KeychainError) in
            try writer.writeArray { writer throws(KeychainError) in
                for plan in plans {
                    try writer.writeObject { writer throws(KeychainError) in
                        try writer.member("tool", plan.tool.name)
                        try writer.members(of: plan)
                    }
                }
            }
        }
    }
}

extension JSONWriter {
    fileprivate mutating func writeProgram(
        _ program: ToolProgram, _ outcomes: [PathTest.Outcome]
    ) throws(KeychainError) {
        let outcome = outcomes.first { $0.program == program.name }
        try writeObject { writer throws(KeychainError) in
            try writer.member("name", program.name.rawValue)
            try writer.member("path", program.path)
            try writer.member("version", program.version)
            try writer.member("works", outcome.map { $0.failure == nil })
            try writer.member("reason", outcome?.failure?.reason)
        }
    }

    fileprivate mutating func writePart(_ part: SetupRun.Part) throws(KeychainError) {
        try writeObject { writer throws(KeychainError) in
            try writer.member("tool", part.tool.name)
            try writer.member("applied", part.isApplied as Bool?)
            try writer.member("reason", part.failure?.reason)
            try writer.members(of: part.plan)
        }
    }

    fileprivate mutating func writeFile(_ file: PlainTextLeftover) throws(KeychainError) {
        try writeObject { writer throws(KeychainError) in
            try writer.member("kind", file.kind.rawValue)
            try writer.member("path", file.path)
            try writer.member("logins", file.logins as Int?)
            try writer.member("command", file.importCommand)
        }
    }

    fileprivate mutating func members(of plan: SetupPlan?) throws(KeychainError) {
        try member("changes") { writer throws(KeychainError) in
            try writer.writeArray { writer throws(KeychainError) in
                for change in plan?.changes ?? [] {
                    try writer.writeObject { writer throws(KeychainError) in
                        try writer.member("action", change.kind.verb)
                        try writer.member("path", change.path)
                        try writer.write(change.summary, as: "summary")
                        try writer.write(change.lines, as: "lines")
                    }
                }
            }
        }
        let notes = (plan?.notes ?? []) + (plan?.unusedLogins.map(\.note) ?? [])
        try write(notes, as: "notes")
    }

    private mutating func write(
        _ texts: [String], as name: ByteString
    ) throws(KeychainError) {
        try member(name) { writer throws(KeychainError) in
            try writer.writeArray { writer throws(KeychainError) in
                for text in texts {
                    try writer.write(ByteString(text))
                }
            }
        }
    }
}
