internal import Glibc
package import LinuxSystem
package import LanyardSecrets
internal import StrictJSON

/// systemd's service that encrypts small secrets for one user on this machine: with the TPM and
/// root's host key, or with the host key alone. It exists from systemd 256 on.
///
/// A call is one JSON object and a NUL byte in each direction over a Unix socket (Varlink). The
/// service takes the user from the socket, and asks no one for the user's own secrets.
package struct SystemdCredentials: Sendable {
    /// The service of this machine. The path is root's; no variable or setting changes it.
    package static let ofThisMachine = SystemdCredentials(
        socket: "/run/systemd/io.systemd.Credentials")

    /// For how long a call may take, in milliseconds, with all its attempts.
    package static let timeLimit: Int64 = 5000

    /// The path of the service's socket.
    let socket: String

    /// Whether its socket exists.
    package var isInstalled: Bool { SystemCalls.realPath(socket) != nil }

    /// Encrypts a secret for this user on this machine.
    ///
    /// - Parameters:
    ///   - name: Part of the encryption; decrypting takes the same.
    ///   - deadline: The end of waiting.
    /// - Returns: The bytes that the service decrypts, at most ``blobLimit``.
    package func encrypt(
        _ secret: borrowing Secret, name: ByteString,
        until deadline: Deadline = Deadline(milliseconds: timeLimit)
    ) throws(SystemdRefusal) -> [UInt8] {
        let data = secret.withBytes { Base64.encode($0) }
        let blob = try call("Encrypt", name, "data", data, "blob", deadline)
        guard (17...SystemdCredentials.blobLimit).contains(blob.count) else {
            throw .nonsense
        }
        return blob.withBytes { ByteString(copying: $0).bytes }
    }

    /// Decrypts what ``encrypt(_:name:until:)`` returned.
    package func decrypt(
        _ blob: [UInt8], name: ByteString,
        until deadline: Deadline = Deadline(milliseconds: timeLimit)
    ) throws(SystemdRefusal) -> Secret {
        try call("Decrypt", name, "blob", Base64.encode(blob.span), "data", deadline)
    }

    /// The most bytes of an encrypted secret: those of a TPM have some 400.
    package static let blobLimit = 16 << 10
    /// The most bytes of an answer.
    private static let answerLimit = 64 << 10

    private func call(
        _ method: String, _ name: ByteString, _ member: ByteString, _ value: borrowing Secret,
        _ result: ByteString, _ deadline: Deadline
    ) throws(SystemdRefusal) -> Secret {
        let request = try SystemdCredentials.request(method, name, member, value)
        var pause: Int64 = 5
        while true {
            switch attempt(request, deadline) {
            case .success(let answer):
                return try SystemdCredentials.read(answer, result)
            case .failure(let error):
                // systemd resets what exceeds 16 connections of a user; EAGAIN is a full queue.
                guard [ECONNRESET, EPIPE, EAGAIN].contains(error.code) else {
                    throw SystemdRefusal(error)
                }
                guard !deadline.hasPassed else {
                    throw .silent
                }
                SystemCalls.sleep(milliseconds: UInt32(min(pause, deadline.remaining + 1)))
                pause = min(pause * 2, 200)
            }
        }
    }

    /// Sends a request over a connection of its own, and returns the answer.
    private func attempt(
        _ request: borrowing Secret, _ deadline: Deadline
    ) -> Result<Secret, SystemCallError> {
        do throws(SystemCallError) {
            let connection = Descriptor(owning: try SystemCalls.makeSocket())
            // A full queue must not block.
            SystemCalls.stopBlocking(connection.number)
            try SystemCalls.connect(connection.number, to: socket)
            try SystemdCredentials.send(request, to: connection.number, until: deadline)
            return .success(
                try SystemdCredentials.receive(from: connection.number, until: deadline))
        } catch {
            return .failure(error)
        }
    }

    private static func request(
        _ method: String, _ name: ByteString, _ member: ByteString, _ value: borrowing Secret
    ) throws(SystemdRefusal) -> Secret {
        do throws(KeychainError) {
            let text = try JSONWriter.writeObject { writer throws(KeychainError) in
                try writer.member("method", ByteString("io.systemd.Credentials.\(method)"))
                try writer.member(object: "parameters") { writer throws(KeychainError) in
                    try writer.member("name", name)
                    try writer.member(member, value)
                    // Without it, decrypting would ask for root's consent.
                    try writer.member("scope", "user")
                }
            }
            var message = SecretBuilder(capacity: text.count + 1)
            message.append(text)
            message.append(UInt8(0))
            return message.finish()
        } catch {
            throw .nonsense
        }
    }

    private static func send(
        _ message: borrowing Secret, to socket: Int32, until deadline: Deadline
    ) throws(SystemCallError) {
        try message.withBytes { bytes throws(SystemCallError) in
            var sent = 0
            while sent < bytes.count {
                guard try SystemCalls.wait(for: socket, .writable, until: deadline) else {
                    throw SystemCallError(call: "send", code: ETIMEDOUT)
                }
                sent += try SystemCalls.writeSome(
                    socket, bytes.extracting(droppingFirst: sent))
            }
        }
    }

    /// Reads up to the NUL byte that ends an answer.
    private static func receive(
        from socket: Int32, until deadline: Deadline
    ) throws(SystemCallError) -> Secret {
        // Safe: `read` gets the rest of the memory, which is wiped if the secret is not made.
        try unsafe Secret(capacity: answerLimit) { memory throws(SystemCallError) in
            var count = 0
            while true {
                guard try SystemCalls.wait(for: socket, .readable, until: deadline) else {
                    throw SystemCallError(call: "recv", code: ETIMEDOUT)
                }
                let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: memory[count...])
                guard unsafe !rest.isEmpty else {
                    throw SystemCallError(call: "recv", code: EMSGSIZE)
                }
                let more = try unsafe SystemCalls.read(socket, rest)
                guard more > 0 else {
                    // It ended before its answer, as when systemd resets a connection.
                    throw SystemCallError(
                        call: "recv", code: count == 0 ? ECONNRESET : EMSGSIZE)
                }
                if let end = unsafe rest.prefix(more).firstIndex(of: 0) {
                    return count + end
                }
                count += more
            }
        }
    }

    /// Reads an answer: an object with the parameters of a result, or of an error.
    ///
    /// - Parameter result: The parameter that is the result, in Base64.
    private static func read(
        _ answer: borrowing Secret, _ result: ByteString
    ) throws(SystemdRefusal) -> Secret {
        var error: ByteString?
        var number: Int64?
        var data: Secret?
        do throws(KeychainError) {
            try JSONReader.readObject(answer, limit: answerLimit) {
                name, reader throws(KeychainError) in
                switch name {
                case "error": error = try reader.readText()
                case "parameters":
                    guard try reader.kind == .object else {
                        return
                    }
                    try reader.readObject { name, reader throws(KeychainError) in
                        if name == result, try reader.kind == .string {
                            data = try reader.readSecret().withBytes { Base64.decode($0) }
                        } else if name == "errno", try reader.kind == .number {
                            number = try reader.readInteger()
                        }
                    }
                default: break
                }
            }
        } catch {
            throw .nonsense
        }
        if let error {
            throw .refused(error, number: number)
        }
        guard let data else {
            throw .nonsense
        }
        return data
    }
}
