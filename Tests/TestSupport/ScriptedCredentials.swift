import Foundation
import LinuxSystem
import LanyardSecrets
import Synchronization

/// A scripted service instead of systemd's: it speaks `io.systemd.Credentials` as 257 and 259 do, and answers as a
/// test says. What it "encrypts" carries the name of its machine, and nothing else opens it.
public final class ScriptedCredentials: Sendable {
    /// How it answers.
    public enum Behaviour: Sendable, Equatable {
        /// As the service of a machine with this name.
        case machine(String)
        /// With an error, and the errno of a system's error.
        case error(String, Int?)
        /// With this text and a NUL byte.
        case text(String)
        /// With this text and the end of the connection.
        case half(String)
        /// Never.
        case silent
        /// A byte every 20 ms, of what would be the right answer.
        case drip
        /// With more than a client should read.
        case endless
        /// With the end of the connection.
        case closed
    }

    private struct State {
        var behaviour = Behaviour.machine("ours")
        var delay: UInt32 = 0
        var connectionLimit = Int.max
        var connections = 0
        var counts: [String: Int] = [:]
        var isOver = false
    }

    /// The path of its socket.
    public let path: String
    private let listener: Descriptor
    private let state = Mutex(State())

    /// Listens at a path.
    public init(at path: String) throws {
        self.path = path
        listener = Descriptor(owning: try SystemCalls.makeSocket())
        try SystemCalls.bind(listener.number, to: path)
        SystemCalls.stopBlocking(listener.number)
        try SystemCalls.listen(listener.number)
        let socket = listener.number
        Thread.detachNewThread { [weak self] in
            while true {
                let isReady = try? SystemCalls.wait(
                    for: socket, .readable, until: Deadline(milliseconds: 100))
                guard let self, !self.isOver else {
                    return
                }
                if isReady == true, let connection = try? SystemCalls.accept(socket) {
                    self.serve(connection)
                }
            }
        }
    }

    /// Ends it: nothing listens at its path any more.
    public func end() {
        state.withLock { $0.isOver = true }
        unlink(path)
    }

    private var isOver: Bool { state.withLock { $0.isOver } }

    /// How it answers from now on.
    public var behaviour: Behaviour {
        get { state.withLock { $0.behaviour } }
        set { state.withLock { $0.behaviour = newValue } }
    }

    /// For how many milliseconds it thinks.
    public var delay: UInt32 {
        get { state.withLock { $0.delay } }
        set { state.withLock { $0.delay = newValue } }
    }

    /// How many connections it serves at once; it ends others without an answer, as systemd's socket does.
    public var connectionLimit: Int {
        get { state.withLock { $0.connectionLimit } }
        set { state.withLock { $0.connectionLimit = newValue } }
    }

    /// How often a method was called; "ended" counts the connections beyond the limit.
    public func count(_ method: String) -> Int { state.withLock { $0.counts[method] ?? 0 } }

    private func serve(_ connection: Int32) {
        let isServed = state.withLock { state in
            guard state.connections < state.connectionLimit else {
                state.counts["ended", default: 0] += 1
                return false
            }
            state.connections += 1
            return true
        }
        guard isServed else {
            return SystemCalls.close(connection)
        }
        Thread.detachNewThread { [self] in
            answer(connection)
            state.withLock { $0.connections -= 1 }
            SystemCalls.close(connection)
        }
    }

    private func answer(_ connection: Int32) {
        guard let request = read(connection) else {
            return
        }
        let method =
            (request["method"] as? String ?? "").split(separator: ".").last.map(String.init) ?? ""
        let (behaviour, delay) = state.withLock { state in
            state.counts[method, default: 0] += 1
            return (state.behaviour, state.delay)
        }
        SystemCalls.sleep(milliseconds: delay)
        switch behaviour {
        case .machine(let name): write(reply(method, request, name) + "\0", connection)
        case .error(let name, let number):
            let parameters = number.map { "{\"origin\":\"linux\",\"errno\":\($0)}" } ?? "{}"
            write("{\"error\":\"\(name)\",\"parameters\":\(parameters)}\0", connection)
        case .text(let text): write(text + "\0", connection)
        case .half(let text): write(text, connection)
        case .silent:
            _ = try? SystemCalls.wait(
                for: connection, .hungUp, until: Deadline(milliseconds: 20_000))
        case .drip:
            for byte in Array((reply(method, request, "ours") + "\0").utf8) {
                write([byte], connection)
                SystemCalls.sleep(milliseconds: 20)
            }
        case .endless:
            let letters = [UInt8](repeating: UInt8(ascii: "x"), count: 4096)
            while write(letters, connection) {}
        case .closed: break
        }
    }

    /// What the service of a machine answers to a call of its own user.
    private func reply(_ method: String, _ request: [String: Any], _ machine: String) -> String {
        let parameters = request["parameters"] as? [String: Any] ?? [:]
        let known: Set<String> = ["name", "data", "blob", "scope"]
        let name = parameters["name"] as? String ?? ""
        guard parameters["scope"] as? String == "user", known.isSuperset(of: parameters.keys) else {
            return
                "{\"error\":\"org.varlink.service.InvalidParameter\",\"parameters\":{\"parameter\":\"scope\"}}"
        }
        // The first 16 bytes of what systemd seals to the host key for a user.
        let header = Data([
            0x55, 0xB9, 0xED, 0x1D, 0x38, 0x59, 0x4D, 0x43, 0xA8, 0x31, 0x9D, 0x2E, 0xBB, 0x33,
            0x2A, 0xC6,
        ])
        let seal = header + Data("\(machine)/\(name)/".utf8)
        if method == "Encrypt", let data = Data(base64Encoded: parameters["data"] as? String ?? "-")
        {
            let blob = seal + Data(data.map { $0 ^ 0x5A })
            return "{\"parameters\":{\"blob\":\"\(blob.base64EncodedString())\"}}"
        }
        guard let blob = Data(base64Encoded: parameters["blob"] as? String ?? "-"),
            blob.starts(with: seal)
        else {
            return "{\"error\":\"io.systemd.Credentials.BadFormat\",\"parameters\":{}}"
        }
        let data = Data(blob.dropFirst(seal.count).map { $0 ^ 0x5A })
        return "{\"parameters\":{\"data\":\"\(data.base64EncodedString())\"}}"
    }

    private func read(_ connection: Int32) -> [String: Any]? {
        var bytes: [UInt8] = []
        while bytes.last != 0 {
            guard
                (try? SystemCalls.wait(
                    for: connection, .readable, until: Deadline(milliseconds: 20_000))) == true,
                let more = try? SystemCalls.readSecret(connection, 4096), more.count > 0
            else {
                return nil
            }
            bytes += more.withBytes { ByteString(copying: $0).bytes }
        }
        return (try? JSONSerialization.jsonObject(with: Data(bytes.dropLast()))) as? [String: Any]
    }

    @discardableResult
    private func write(_ bytes: [UInt8], _ connection: Int32) -> Bool {
        var sent = 0
        while sent < bytes.count {
            guard
                (try? SystemCalls.wait(
                    for: connection, .writable, until: Deadline(milliseconds: 20_000))) == true,
                let more = try? SystemCalls.writeSome(
                    connection, bytes.span.extracting(droppingFirst: sent))
            else {
                return false
            }
            sent += more
        }
        return true
    }

    private func write(_ text: String, _ connection: Int32) {
        write(Array(text.utf8), connection)
    }
}
