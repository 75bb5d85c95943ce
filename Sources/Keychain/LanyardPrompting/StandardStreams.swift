internal import Glibc
public import KeychainServices
internal import LinuxSystem

/// Limits the bytes of a request where the protocol sets no limit: 1 MiB.
public let requestLimit = 1 << 20

/// Reads all of a protocol helper's standard input.
///
/// - Parameter limit: How many bytes it may have, a number of MiB.
/// - Throws: ``Status/dataTooLarge`` beyond the limit, ``Status/io``.
public func readRequest(limit: Int = requestLimit) throws(KeychainError) -> Secret {
    try readAll(
        "the request", limit: limit, tooLong: "the request is longer than \(limit >> 20) MiB")
}

/// Reads a secret from standard input: all of it, without one newline at the end.
///
/// - Parameter limit: How many bytes it may have, a number of MiB.
/// - Throws: ``Status/dataTooLarge`` beyond the limit, ``Status/io``.
public func readStandardInput(limit: Int) throws(KeychainError) -> Secret {
    try readAll(
        "standard input", limit: limit + 1, tooLong: "the secret is longer than \(limit >> 20) MiB"
    ).droppingFinalNewline()
}

/// Whether standard input is a pipe, a socket or a file with content to read: not a terminal or another device, and
/// not an empty pipe, as programs give to others that they start. Waits until a pipe has content or ends.
public func standardInputHasContent() -> Bool { SystemCalls.hasContent(0) }

private func readAll(
    _ what: String, limit: Int, tooLong: String
) throws(KeychainError) -> Secret {
    var request = SecretBuilder(capacity: 4096)
    while true {
        let chunk: Secret
        do throws(SystemCallError) {
            chunk = try readChunk()
        } catch {
            throw error.keychainError("\(what) can't be read")
        }
        guard chunk.count > 0 else {
            return request.finish().locked()
        }
        guard request.count + chunk.count <= limit else {
            throw KeychainError(.dataTooLarge, tooLong)
        }
        request.append(chunk)
    }
}

/// Reads some bytes from standard input, none at its end. It may be in non-blocking mode, which belongs to
/// the open file: another program with the same one may have set it.
private func readChunk() throws(SystemCallError) -> Secret {
    while true {
        do throws(SystemCallError) {
            return try SystemCalls.readSecret(0, 4096)
        } catch  where error.code == EAGAIN {
        }
        _ = try SystemCalls.wait(for: 0, .readable, until: nil)
    }
}

/// Writes all of an answer to standard output. The reader may be slow: until then, the answer is locked out
/// of swap.
///
/// - Throws: ``Status/io`` if not all of it could be written.
public func writeAnswer(_ answer: borrowing Secret) throws(KeychainError) {
    SystemCalls.lockInMemory(answer)
    do throws(SystemCallError) {
        try answer.withBytes { bytes throws(SystemCallError) in
            try SystemCalls.writeAll(1, bytes)
        }
    } catch {
        throw error.keychainError("the answer can't be written")
    }
}

/// Standard input, line by line.
package final class InputLines {
    /// Bytes that were read after the last line.
    private var rest: Secret? = nil

    /// Creates a reader that has read nothing.
    package init() {}

    /// Reads the next line without its newline; nil at the end of the input.
    ///
    /// - Throws: ``Status/dataTooLarge`` for a line of more than ``requestLimit`` bytes; ``Status/io``.
    package func next() throws(KeychainError) -> Secret? {
        var line = SecretBuilder(capacity: 4096)
        while true {
            let chunk = try nextChunk()
            guard chunk.count > 0 else {
                return line.count > 0 ? line.finish().locked() : nil
            }
            let end = chunk.firstIndex(of: UInt8(ascii: "\n"))
            guard line.count + (end ?? chunk.count) <= requestLimit else {
                throw KeychainError(
                    .dataTooLarge, "the request is longer than \(requestLimit >> 20) MiB")
            }
            guard let end else {
                line.append(chunk)
                continue
            }
            line.append(chunk.prefix(end))
            if end + 1 < chunk.count {
                rest = chunk.dropping(end + 1).locked()
            }
            return line.finish().locked()
        }
    }

    private func nextChunk() throws(KeychainError) -> Secret {
        if let rest = rest.take() {
            return rest
        }
        do throws(SystemCallError) {
            return try readChunk().locked()
        } catch {
            throw error.keychainError("the request can't be read")
        }
    }
}
