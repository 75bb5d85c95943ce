internal import Glibc
public import KeychainServices
internal import LinuxSystem

/// Reads a passphrase or recovery key from a file or an inherited descriptor that an option names: all its
/// bytes without one newline at the end. A carriage return is an ordinary byte.
///
/// A file is read from its start, also through a descriptor, which lets several programs read it; a pipe
/// can be read once.
///
/// - Parameters:
///   - pathOrDescriptor: A path, whose links are followed, or the decimal number of a descriptor from 3 up.
///     `./7` is a file named with a number.
///   - origin: What names the file, for example `--passphrase-file`.
/// - Throws: ``Status/itemNotFound`` for a missing file; ``Status/authFailed`` if it is unreadable, empty, or
///   nothing arrives in time; ``Status/param`` for an invalid descriptor number, ``Status/dataTooLarge``.
public func readPassphraseFile(
    _ pathOrDescriptor: String, origin: String
) throws(KeychainError) -> Secret {
    let file = try PassphraseFile(pathOrDescriptor, origin: origin)
    if case .path(let path) = file.place, try !PrivatePlace.exists(path) {
        throw LinkedFile.notFound(path)
    }
    return try file.read()
}

/// A place to read a passphrase from.
struct PassphraseFile {
    /// Limits the bytes of a passphrase.
    static let sizeLimit = 1024

    enum Place {
        case path(String)
        case descriptor(Int32)
    }

    fileprivate let place: Place
    /// What named it, for example `LANYARD_PASSPHRASE_FILE`.
    let origin: String
    /// Names the file in messages.
    private let name: String
    private let timeLimit: Int64

    /// - Parameter timeLimit: How many milliseconds the other end of a pipe has.
    init(
        _ pathOrDescriptor: String, origin: String, timeLimit: Int64 = 10_000
    ) throws(KeychainError) {
        self.origin = origin
        self.timeLimit = timeLimit
        guard !pathOrDescriptor.isEmpty, pathOrDescriptor.utf8.allSatisfy({ $0.isDigit }) else {
            place = .path(pathOrDescriptor)
            name = "the passphrase file '\(pathOrDescriptor)' (\(origin))"
            return
        }
        name = "the passphrase file, descriptor \(pathOrDescriptor) (\(origin)),"
        guard let number = Int32(pathOrDescriptor), number > 2 else {
            throw KeychainError(
                .param, "\(name) is invalid",
                hint: "use a path, or the number of an open descriptor from 3 up")
        }
        place = .descriptor(number)
    }

    /// Standard input, which allows as much time as a user may need to type.
    static let standardInput = PassphraseFile(
        place: .descriptor(0), origin: "standard input", name: "the passphrase on standard input",
        timeLimit: 600_000)

    private init(place: Place, origin: String, name: String, timeLimit: Int64) {
        self.place = place
        self.origin = origin
        self.name = name
        self.timeLimit = timeLimit
    }

    /// Whether a second read finds the same: not in a pipe.
    var canBeReadAgain: Bool {
        let status: FileStatus?
        switch place {
        case .path(let path): status = try? SystemCalls.statusBehindLinks(at: path)
        case .descriptor(let number): status = try? SystemCalls.status(of: number)
        }
        return status?.kind == .file
    }

    /// Reads the passphrase.
    func read() throws(KeychainError) -> Secret {
        let content: Secret
        do throws(SystemCallError) {
            content = try PassphraseFile.content(of: place, within: timeLimit)
        } catch {
            switch error.code {
            case EISDIR: throw failure("is a folder")
            case ETIMEDOUT: throw failure("can't be read: it timed out")
            case EBADF:
                throw failure(
                    "is not open", hint: "name a file instead: sudo and docker close descriptors")
            case ENOENT:
                throw failure("is missing", hint: "create it, or change \(origin)")
            default: throw failure("can't be read: \(error.words)")
            }
        }
        let endsLine = content.withBytes { $0.count > 0 && $0[$0.count - 1] == UInt8(ascii: "\n") }
        let passphrase = content.prefix(content.count - (endsLine ? 1 : 0))
        guard passphrase.count <= PassphraseFile.sizeLimit else {
            throw KeychainError(
                .dataTooLarge, "\(name) is longer than \(PassphraseFile.sizeLimit) bytes")
        }
        guard passphrase.count > 0 else {
            throw failure("is empty")
        }
        return passphrase
    }

    private func failure(_ what: String, hint: String? = nil) -> KeychainError {
        KeychainError(.authFailed, "\(name) \(what)", hint: hint)
    }
}
