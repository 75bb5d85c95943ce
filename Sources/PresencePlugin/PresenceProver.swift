package import LinuxSystem
package import Secrets

/// A way to ask the user for a sign of presence, for a program of its own.
package protocol PresenceProver {
    /// Creates it without asking anything.
    init()

    /// Throws if ``enroll(besides:show:until:)`` could not begin, without asking the user.
    ///
    /// - Throws: As ``enroll(besides:show:until:)``.
    func check(besides known: [[UInt8]], until deadline: Deadline) throws(KeychainError)

    /// Enrolls a device.
    ///
    /// - Parameters:
    ///   - known: The enrollments that are there: none may be of the same device.
    ///   - show: Shows a message to the user.
    /// - Throws: ``Status/duplicateItem`` if one is, ``Status/notAvailable`` without a device,
    ///   ``Status/userCanceled`` if the user refuses or does not answer in time, ``Status/interactionNotAllowed`` if
    ///   no user can be asked.
    func enroll(
        besides known: [[UInt8]], show: (String) -> Void, until deadline: Deadline
    ) throws(KeychainError) -> ProverEnrollment

    /// Asks for the secret of one of some enrollments.
    ///
    /// - Throws: ``Status/itemNotFound`` if none of these devices is here, and as ``enroll(besides:show:until:)``.
    func prove(
        _ enrollments: [[UInt8]], show: (String) -> Void, until deadline: Deadline
    ) throws(KeychainError) -> ProverAnswer
}

/// What a ``PresenceProver`` enrolled.
package struct ProverEnrollment: ~Copyable {
    let data: [UInt8]
    let name: String
    let secret: Secret

    /// - Parameters:
    ///   - data: What it needs to know again. Nothing secret.
    ///   - name: A name for the user.
    ///   - secret: 16 to 64 bytes, the same each time.
    package init(data: [UInt8], name: String, secret: consuming Secret) {
        self.data = data
        self.name = name
        self.secret = secret
    }
}

/// The secret of an enrollment.
package struct ProverAnswer: ~Copyable {
    let index: Int
    let secret: Secret

    /// - Parameter index: The position of the enrollment in the request.
    package init(index: Int, secret: consuming Secret) {
        self.index = index
        self.secret = secret
    }
}
