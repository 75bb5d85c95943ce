internal import Glibc
internal import KeychainServices
internal import LinuxSystem

/// A Secret Service for one program and what it starts, on a message bus of its own. Both end with the program.
enum PrivateSecretService {
    /// How long it may take to start, in milliseconds.
    private static let timeLimit: Int64 = 10_000
    private static let addressLimit = 4_096

    /// Starts it: it ends when this process does, or the program that replaces it.
    ///
    /// - Parameter narrowing: The options that narrow what it shows.
    /// - Returns: The address of the bus; nil if it did not start, and has said why.
    /// - Throws: ``Status/notAvailable`` if it is not installed, or takes too long.
    static func start(_ narrowing: [String]) throws(KeychainError) -> String? {
        guard let service = Installation()?.neighbour("lanyard-secret-service") else {
            throw KeychainError(
                .notAvailable, "the program lanyard-secret-service is missing",
                hint: "install the package lanyard-secret-service")
        }
        do throws(SystemCallError) {
            let sockets = try SocketPair()
            // A session of its own: ^C is for the program, and must not end the service before it.
            let process = try SystemCalls.startProcess(
                service, ["--private-bus=\(getpid())"] + narrowing, input: nil,
                output: sockets.theirs.number, showsErrors: true, mayAsk: true, isOwnSession: true)
            // It goes on in another process: what the program waits for must be its own children.
            _ = SystemCalls.exitStatus(of: process, until: Deadline(milliseconds: timeLimit))
            let socket = sockets.keepingOurs()
            let line = try readLine(
                socket.number, limit: addressLimit, until: Deadline(milliseconds: timeLimit))
            guard line.last == UInt8(ascii: "\n") else {
                return nil
            }
            return String(decoding: line.dropLast(), as: UTF8.self)
        } catch {
            throw KeychainError(
                .notAvailable, "the Secret Service can't be started: \(error.words)")
        }
    }
}
