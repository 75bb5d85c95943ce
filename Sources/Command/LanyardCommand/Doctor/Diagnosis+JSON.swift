internal import LanyardDiagnosis
internal import KeychainServices
internal import LinuxSystem
internal import StrictJSON

extension Diagnosis {
    /// Returns the findings as an object. Part of the stable output: see lanyard-doctor(1), "JSON".
    func json() throws(KeychainError) -> Secret {
        try JSONWriter.writeObject(invalidText: .replace) { writer throws(KeychainError) in
            try writer.member("version", lanyardVersion)
            try writer.member("severity", severity?.rawValue)
            let findings = outcomes.flatMap { outcome in
                outcome.findings.map { (check: outcome.check, finding: $0) }
            }
            try writer.member(objects: "findings", of: findings) {
                writer, found throws(KeychainError) in
                try writer.members(of: found.finding, check: found.check)
            }
        }
    }
}

extension JSONWriter {
    fileprivate mutating func members(
        of finding: Finding, check: String
    ) throws(KeychainError) {
        var command: String?
        var advice: String?
        switch finding.remedy {
        case .command(let text): command = text.full
        case .advice(let text): advice = text.full
        }
        try member("code", finding.code.rawValue)
        try member("severity", finding.severity.rawValue)
        try member("check", check)
        try member("what", finding.what.full)
        try member("meaning", finding.meaning)
        try member("command", command)
        try member("advice", advice)
    }
}
