internal import Diagnosis
internal import KeychainServices
internal import LinuxSystem
internal import StrictJSON

extension Diagnosis {
    /// Returns the findings as an object. Part of the stable output: see lanyard-doctor(1), "JSON".
    func json() throws(KeychainError) -> Secret {
        try JSONWriter.write(invalidText: .replace) { writer throws(KeychainError) in
            try writer.writeObject { writer throws(KeychainError) in
                try writer.member("version", LinuxSystem.version)
                try writer.member("severity", severity?.rawValue)
                try writer.member("findings") { writer throws(KeychainError) in
                    try writer.writeArray { writer throws(KeychainError) in
                        for outcome in outcomes {
                            for finding in outcome.findings {
                                try writer.write(finding, check: outcome.check)
                            }
                        }
                    }
                }
            }
        }
    }
}

extension JSONWriter {
    fileprivate mutating func write(
        _ finding: Finding, check: String
    ) throws(KeychainError) {
        var command: String?
        var advice: String?
        switch finding.remedy {
        case .command(let text): command = text.full
        case .advice(let text): advice = text.full
        }
        try writeObject { writer throws(KeychainError) in
            try writer.member("code", finding.code.rawValue)
            try writer.member("severity", finding.severity.rawValue)
            try writer.member("check", check)
            try writer.member("what", finding.what.full)
            try writer.member("meaning", finding.meaning)
            try writer.member("command", command)
            try writer.member("advice", advice)
        }
    }
}
