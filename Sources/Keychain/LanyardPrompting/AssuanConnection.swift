internal import KeychainServices
internal import LinuxSystem

/// The client side of Assuan, the protocol of GnuPG's programs. Its manual, "Assuan", lists commands and
/// answers under "Client requests" and "Server responses".
struct AssuanConnection: ~Copyable {
    /// Why there is no answer.
    enum Failure: Error {
        /// A signal arrived that would have ended us.
        case signal
        case deadline
        /// The server ended or does not speak Assuan, or the command is too long for it.
        case broken
        case tooLong
        /// The server's own error, a number of libgpg-error.
        case error(UInt32)
    }

    /// How many bytes a line may have.
    private static let lineLimit = 1000

    private let server: ChildProcess

    init(_ server: ChildProcess) {
        self.server = server
    }

    /// Sends a command.
    ///
    /// - Parameter text: Its argument, which this method percent-encodes.
    mutating func send(
        _ command: String, _ text: String = "", until deadline: Deadline
    ) throws(Failure) -> Secret {
        try send(
            line: text.isEmpty ? command : "\(command) \(AssuanConnection.encode(text))",
            until: deadline)
    }

    /// Sends a command with its argument, encoded already.
    mutating func send(line: String, until deadline: Deadline) throws(Failure) -> Secret {
        guard line.utf8.count <= AssuanConnection.lineLimit else {
            throw .broken
        }
        do throws(LineChannel.Failure) {
            try server.channel.write(Secret("\(line)\n"), until: deadline)
        } catch {
            throw Failure(error)
        }
        return try readAnswer(until: deadline)
    }

    /// Reads the data before OK.
    mutating func readAnswer(until deadline: Deadline) throws(Failure) -> Secret {
        var data = SecretBuilder(capacity: PassphraseQuestion.answerLimit)
        while true {
            let line = try readLine(until: deadline)
            switch try line.withBytes({ bytes throws(Failure) in
                try AssuanConnection.parse(bytes, appendingTo: &data)
            }) {
            case .goesOn: break
            case .ok: return data.finish()
            case .error(let number): throw .error(number)
            }
            guard data.count <= PassphraseQuestion.answerLimit else {
                throw .tooLong
            }
        }
    }

    /// Says BYE to the server.
    mutating func close(until deadline: Deadline) {
        _ = try? send("BYE", until: deadline)
        _ = try? server.exitStatus(until: deadline)
    }

    private mutating func readLine(until deadline: Deadline) throws(Failure) -> Secret {
        do throws(LineChannel.Failure) {
            switch try server.channel.readLine(
                limit: AssuanConnection.lineLimit, until: deadline)
            {
            case .some(let line): return line
            case .none: throw .ended
            }
        } catch {
            throw Failure(error)
        }
    }

    private enum Line {
        case goesOn
        case ok
        case error(UInt32)
    }

    private static func parse(
        _ line: Span<UInt8>, appendingTo data: inout SecretBuilder
    ) throws(Failure) -> Line {
        if line.isWord("OK") {
            return .ok
        }
        if line.isWord("D") {
            guard data.append(percentDecoding: line.extracting(droppingFirst: 2)) else {
                throw .broken
            }
            return .goesOn
        }
        if line.isWord("ERR"), let number = line.number(from: 4) {
            return .error(number)
        }
        guard line.isWord("S") || line.isWord("#") else {
            throw .broken
        }
        return .goesOn
    }

    private static func encode(_ text: String) -> String {
        var encoded = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "%": encoded += "%25"
            case "\r": encoded += "%0D"
            case "\n": encoded += "%0A"
            default: encoded.unicodeScalars.append(scalar)
            }
        }
        return encoded
    }
}

extension AssuanConnection.Failure {
    init(_ failure: LineChannel.Failure) {
        switch failure {
        case .signal: self = .signal
        case .deadline: self = .deadline
        // Assuan has no lines this long.
        case .ended, .endedInLine, .tooLong, .systemCall: self = .broken
        }
    }
}

extension Span<UInt8> {
    /// Whether the line is this word, or starts with it and a space.
    fileprivate func isWord(_ word: StaticString) -> Bool {
        let length = word.utf8CodeUnitCount
        guard count == length || count > length && self[length] == UInt8(ascii: " ") else {
            return false
        }
        return starts(with: word)
    }

    /// Parses the word at an index as a decimal number, nil if it is none or beyond 32 bits.
    fileprivate func number(from start: Int) -> UInt32? {
        let rest = extracting(droppingFirst: start)
        let word = rest.extracting(..<(rest.firstIndex(of: UInt8(ascii: " ")) ?? rest.count))
        return word.decimalNumber.flatMap { UInt32(exactly: $0) }
    }
}
