internal import Glibc
internal import LinuxSystem
package import LanyardSecrets

/// The reason why systemd's service did not encrypt or decrypt a secret.
package enum SystemdRefusal: Error, Equatable, Sendable {
    /// There is no such service here, as before systemd 256 and in containers.
    case missing
    /// It gave no answer in time.
    case silent
    /// The connection failed with an errno.
    case unreachable(Int32)
    /// The answer violates the protocol.
    case nonsense
    /// It answered with an error: its name, and the errno of a system's error.
    case refused(ByteString, number: Int64? = nil)

    /// - Parameter error: The connection's error.
    init(_ error: SystemCallError) {
        switch error.code {
        case ENOENT, ENOTDIR, ECONNREFUSED: self = .missing
        case ETIMEDOUT: self = .silent
        case EMSGSIZE: self = .nonsense
        default: self = .unreachable(error.code)
        }
    }

    /// Whether another attempt may succeed although nothing is repaired.
    package var isTemporary: Bool {
        switch self {
        case .missing, .nonsense: false
        case .silent, .unreachable: true
        case .refused: cause == .lockOut
        }
    }

    /// What happened, for users: the end of a sentence about the key.
    package var reason: String {
        switch self {
        case .missing: "systemd's credential service is not running here"
        case .silent: "systemd's credential service did not answer in time"
        case .unreachable(let code):
            "systemd's credential service can't be reached: "
                + SystemCallError(call: "connect", code: code).words
        case .nonsense: "systemd's credential service sent an invalid answer"
        case .refused(let name, let number): cause?.reason ?? SystemdRefusal.other(name, number)
        }
    }

    /// What the errors of the service mean.
    private enum Cause {
        case otherBlob
        case hostKey
        case otherTPM
        case state
        case lockOut
        case unknownUser
        case otherName
        case expired
        case consent

        var reason: String {
            switch self {
            // One error for all of these.
            case .otherBlob:
                "it was sealed on another machine or for another user name, or the file is damaged"
            case .hostKey: "the machine's host key or machine id has changed"
            case .otherTPM: "this is another TPM, or it does not answer"
            case .state: "the TPM refuses it because the boot configuration has changed (PCR 7)"
            case .lockOut: "the TPM is locked after too many failed attempts"
            case .unknownUser: "this user has no name on this machine"
            case .otherName: "the sealed key was made for another purpose"
            case .expired: "the sealed key has expired"
            case .consent: "systemd's credential service asks for an administrator's consent"
            }
        }
    }

    /// Systemd before 259 has no errors of its own for the TPM, only these numbers.
    private var cause: Cause? {
        guard case .refused(let name, let number) = self else {
            return nil
        }
        switch name {
        case "io.systemd.Credentials.BadFormat": return .otherBlob
        case "io.systemd.Credentials.NameMismatch": return .otherName
        case "io.systemd.Credentials.TimeMismatch": return .expired
        case "io.systemd.Credentials.NoSuchUser": return .unknownUser
        case "io.systemd.Credentials.BadScope": return .otherBlob
        case "io.systemd.Credentials.KeyBelongsToOtherTPM": return .otherTPM
        case "io.systemd.Credentials.UnexpectedPCRState": return .state
        case "io.systemd.Credentials.TPMInDictionaryLockout": return .lockOut
        case "io.systemd.InteractiveAuthenticationRequired": return .consent
        case "io.systemd.System":
            switch number {
            case Int64(ENOENT): return .hostKey
            case Int64(EPERM): return .state
            case Int64(ENOTRECOVERABLE): return .otherTPM
            case Int64(ENOLCK): return .lockOut
            default: return nil
            }
        default: return nil
        }
    }

    /// The name of an unknown error comes from the service: only its letters are shown.
    private static func other(_ name: ByteString, _ number: Int64?) -> String {
        let isPlain =
            name.bytes.count <= 80
            && name.bytes.allSatisfy { $0.isLetterOrDigit || $0 == UInt8(ascii: ".") }
        let what = isPlain ? "the error \(name)" : "an error"
        let end = number.map { " (\($0))" } ?? ""
        return "systemd's credential service answered with \(what)\(end)"
    }
}
