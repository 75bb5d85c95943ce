internal import LinuxSystem
package import LanyardSecrets

/// A program that asks the user for a sign of presence, such as the touch of a security key, and returns a secret
/// that only this sign gives. It answers one request and ends. The man page lanyard-plugin(7) describes the
/// protocol.
package struct PresenceProgram {
    private let path: String
    /// The milliseconds that a request may take, for the user too.
    private let timeLimit: Int64
    private let show: (String) -> Void

    /// The milliseconds that a user has.
    package static let usualTimeLimit: Int64 = 90_000
    /// The milliseconds beyond the time limit in which the program may still say that it has passed.
    private static let grace: Int64 = 2000

    /// Creates a program without starting it.
    ///
    /// - Parameters:
    ///   - name: What it asks, for example `fido2`: lanyard-presence-fido2 is the program. It is installed with
    ///     Lanyard; nothing else can name it.
    ///   - show: Shows a message of the program to the user.
    /// - Throws: ``Status/notAvailable`` if it is not installed.
    package init(
        _ name: String, timeLimit: Int64 = usualTimeLimit, show: @escaping (String) -> Void
    ) throws(KeychainError) {
        let file = "lanyard-presence-\(name)"
        guard !name.isEmpty, let path = PluginProgram.find(file) else {
            throw KeychainError(
                .notAvailable, "\(file) is not installed",
                hint: "install the whole of Lanyard, or put it in its folder libexec/lanyard")
        }
        self.init(path: path, timeLimit: timeLimit, show: show)
    }

    init(path: String, timeLimit: Int64, show: @escaping (String) -> Void) {
        self.path = path
        self.timeLimit = timeLimit
        self.show = show
    }

    /// What a program enrolled.
    package struct Enrollment: ~Copyable {
        /// What it needs to know again. Nothing secret.
        package let data: [UInt8]
        /// A name for the user, nil if it has none.
        package let name: String?
        /// 16 to 64 bytes, the same each time.
        package let secret: Secret

        package init(data: [UInt8], name: String?, secret: consuming Secret) {
            self.data = data
            self.name = name
            self.secret = secret
        }
    }

    /// Throws if ``enroll(besides:)`` could not begin, before the user is asked anything.
    ///
    /// - Throws: As ``enroll(besides:)``. A program that does not know the question throws nothing.
    package func check(besides known: [[UInt8]]) throws(KeychainError) {
        var request = PresenceMessage()
        request.method = .check
        request.enrollments = known
        do throws(KeychainError) {
            _ = try ask(request)
        } catch {
            guard error.status == .unimplemented else {
                throw error
            }
        }
    }

    /// Enrolls a device.
    ///
    /// - Parameter known: The enrollments that are there: none may be of the same device.
    /// - Throws: ``Status/duplicateItem`` if one is, ``Status/notAvailable``, ``Status/userCanceled``,
    ///   ``Status/interactionNotAllowed`` and other errors of the program.
    package func enroll(besides known: [[UInt8]]) throws(KeychainError) -> Enrollment {
        var request = PresenceMessage()
        request.method = .enroll
        request.enrollments = known
        let answer = try ask(request)
        guard let data = answer.enrollment else {
            throw nonsense
        }
        let name = answer.name
        return Enrollment(data: data, name: name, secret: try secret(of: answer))
    }

    /// Asks for the secret of one of some enrollments.
    ///
    /// - Throws: ``Status/itemNotFound`` if none of these devices is here, and as ``enroll(besides:)``.
    package func prove(_ enrollments: [[UInt8]]) throws(KeychainError) -> Proof {
        var request = PresenceMessage()
        request.method = .prove
        request.enrollments = enrollments
        let answer = try ask(request)
        guard let index = answer.index, enrollments.indices.contains(Int(clamping: index)) else {
            throw nonsense
        }
        return Proof(index: Int(index), secret: try secret(of: answer))
    }

    /// The secret of an enrollment.
    package struct Proof: ~Copyable {
        /// The position of the enrollment in the request.
        package let index: Int
        /// The secret.
        package let secret: Secret

        package init(index: Int, secret: consuming Secret) {
            self.index = index
            self.secret = secret
        }
    }

    private func secret(of answer: consuming PresenceMessage) throws(KeychainError) -> Secret {
        guard let secret = answer.secret.take(), (16...64).contains(secret.count) else {
            throw nonsense
        }
        SystemCalls.lockInMemory(secret)
        return secret
    }

    private func ask(
        _ request: consuming PresenceMessage
    ) throws(KeychainError) -> PresenceMessage {
        let answer = try finalAnswer(request)
        if let error = answer.error {
            throw error
        }
        return answer
    }

    private func finalAnswer(
        _ request: consuming PresenceMessage
    ) throws(KeychainError) -> PresenceMessage {
        request.version = PresenceMessage.version
        request.timeout = timeLimit
        let line = try request.line()
        let connection = try PluginConnection(starting: path, words)
        let limit = PluginConnection.Limit(
            Deadline(milliseconds: timeLimit + PresenceProgram.grace),
            .silent(milliseconds: timeLimit))
        do throws(PluginFailure) {
            try connection.write(line, within: limit)
            while true {
                let line = try connection.readLine(within: limit)
                guard let answer = try? PresenceMessage(line) else {
                    throw .nonsense("its answer is invalid")
                }
                guard answer.error == nil, let message = answer.message else {
                    return answer
                }
                guard !limit.deadline.hasPassed else {
                    throw limit.failure
                }
                show(message)
            }
        } catch {
            throw failure(error)
        }
    }

    private var words: String { "the program '\(PrivatePlace.name(of: path))'" }

    private func failure(_ failure: PluginFailure) -> KeychainError {
        let error = failure.error(words)
        guard case .silent = failure else {
            return error
        }
        // The user was asked, and did not answer.
        return KeychainError(.userCanceled, error.reason)
    }

    private var nonsense: KeychainError {
        failure(.nonsense("its answer is invalid"))
    }
}
