internal import KeychainServices
internal import LinuxSystem

/// Asks a message bus about a name, in this process and within a moment: most calls have no other use for the bus.
struct BusNames {
    private let path: String
    /// In milliseconds.
    private static let timeLimit: Int64 = 200
    private static let answerLimit = 4096

    /// - Parameter address: A bus's address; nil for others than the path of a socket.
    init?(at address: String) {
        let words = address.prefix { $0 != ";" }.split(separator: ",", maxSplits: 1)
        guard let first = words.first, first.hasPrefix("unix:path="), !first.contains("%") else {
            return nil
        }
        path = String(first.dropFirst("unix:path=".count))
    }

    /// Whether a program has a name; nil if the bus does not say so in time.
    ///
    /// The corresponding method is NameHasOwner of org.freedesktop.DBus.
    func hasOwner(_ name: String) -> Bool? {
        let deadline = Deadline(milliseconds: BusNames.timeLimit)
        guard let socket = try? Descriptor(owning: SystemCalls.makeSocket()),
            (try? SystemCalls.connect(socket.number, to: path)) != nil
        else {
            return nil
        }
        SystemCalls.stopBlocking(socket.number)
        // Nothing has to be waited for in between.
        let request =
            BusNames.authentication + BusNames.call("Hello", serial: 1)
            + BusNames.call("NameHasOwner", serial: 2, text: name)
        guard (try? SystemCalls.writeSome(socket.number, request.span)) == request.count else {
            return nil
        }
        var answer: [UInt8] = []
        while answer.count < BusNames.answerLimit, !deadline.hasPassed {
            var set = PollSet()
            set.add(socket.number, reading: true)
            guard (try? set.wait(milliseconds: deadline.remaining)) != nil,
                set.isReady(socket.number),
                let bytes = try? SystemCalls.readSecret(socket.number, BusNames.answerLimit),
                bytes.count > 0
            else {
                return nil
            }
            answer += bytes.withBytes { ByteString(copying: $0).bytes }
            if let found = BusNames.found(in: answer) {
                return found
            }
        }
        return nil
    }

    /// As the user of this process: "Authentication Protocol" of the D-Bus specification.
    private static var authentication: [UInt8] {
        let user = Hexadecimal.encode(Array("\(SystemCalls.effectiveUser)".utf8))
        return [0] + Array("AUTH EXTERNAL \(user)\r\nBEGIN\r\n".utf8)
    }

    /// A call of the bus itself: "Message Format" of the D-Bus specification.
    private static func call(_ method: String, serial: UInt32, text: String? = nil) -> [UInt8] {
        var body: [UInt8] = []
        if let text {
            append(text, to: &body)
        }
        var fields: [UInt8] = []
        for (code, type, value) in [
            (1, "o", "/org/freedesktop/DBus"), (2, "s", "org.freedesktop.DBus"), (3, "s", method),
            (6, "s", "org.freedesktop.DBus"),
        ] as [(UInt8, String, String)] {
            align(&fields)
            fields += [code, 1] + Array(type.utf8) + [0]
            append(value, to: &fields)
        }
        if text != nil {
            align(&fields)
            fields += [8, 1] + Array("g\0".utf8) + [1] + Array("s\0".utf8)
        }
        var message = [UInt8(ascii: "l"), 1, 0, 1]
        for number in [UInt32(body.count), serial, UInt32(fields.count)] {
            message += number.littleEndianBytes
        }
        message += fields
        align(&message)
        return message + body
    }

    private static func append(_ text: String, to bytes: inout [UInt8]) {
        bytes += UInt32(text.utf8.count).littleEndianBytes + Array(text.utf8) + [0]
    }

    private static func align(_ bytes: inout [UInt8]) {
        bytes += [UInt8](repeating: 0, count: -bytes.count & 7)
    }

    /// Returns the answer to the second call, once it is there: a number that is 0 or 1.
    private static func found(in answer: [UInt8]) -> Bool? {
        guard let line = answer.firstIndex(of: 0x0A) else {
            return nil
        }
        var rest = answer[(line + 1)...]
        var answers = 0
        while rest.count >= 16 {
            let start = rest.startIndex
            func number(_ offset: Int) -> Int {
                (0..<4).reduce(0) { $0 | Int(rest[start + offset + $1]) << (8 * $1) }
            }
            let header = (16 + number(12) + 7) & ~7
            guard rest.first == UInt8(ascii: "l"), header <= answerLimit,
                rest.count >= header + number(4)
            else {
                return nil
            }
            // A return; the other messages are signals.
            answers += rest[start + 1] == 2 ? 1 : 0
            if answers == 2 {
                return number(4) == 4 ? rest[start + header] == 1 : nil
            }
            rest = rest.dropFirst(header + number(4))
        }
        return nil
    }
}

extension UInt32 {
    fileprivate var littleEndianBytes: [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: self >> ($0 * 8)) }
    }
}
