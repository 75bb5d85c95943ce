internal import LanyardSecrets

/// What the errors of fido2-tools mean to a user.
enum FIDO2Error {
    /// The names of libfido2 in its errors, and what they mean.
    private static let meanings: [(names: [String], error: KeychainError)] = [
        (["FIDO_ERR_NO_CREDENTIALS", "FIDO_ERR_INVALID_CREDENTIAL"], wrongKey),
        (
            [
                "FIDO_ERR_USER_ACTION_TIMEOUT", "FIDO_ERR_ACTION_TIMEOUT", "FIDO_ERR_TIMEOUT",
            ], notTouched
        ),
        (
            [
                "FIDO_ERR_OPERATION_DENIED", "FIDO_ERR_KEEPALIVE_CANCEL", "FIDO_ERR_NOT_ALLOWED",
                "FIDO_ERR_UP_REQUIRED",
            ],
            KeychainError(.userCanceled, "the security key refused")
        ),
        (
            ["FIDO_ERR_PIN_INVALID", "FIDO_ERR_PIN_AUTH_INVALID"],
            KeychainError(.authFailed, "wrong PIN of the security key", hint: "try again")
        ),
        (
            ["FIDO_ERR_PIN_BLOCKED", "FIDO_ERR_PIN_AUTH_BLOCKED", "FIDO_ERR_UV_BLOCKED"],
            KeychainError(
                .authFailed, "the security key takes no PIN any more",
                hint: "unplug it and plug it in again; fido2-token -I shows the attempts left")
        ),
        (
            [
                "FIDO_ERR_PIN_REQUIRED", "FIDO_ERR_PIN_NOT_SET", "FIDO_ERR_UV_INVALID",
                "FIDO_ERR_PUAT_REQUIRED", "unable to get pin", "Invalid PIN", "PIN",
            ],
            KeychainError(
                .interactionNotAllowed,
                "the security key asks for its PIN, and there is no terminal",
                hint: "use it at a terminal")
        ),
        (
            [
                "FIDO_ERR_UNSUPPORTED_EXTENSION", "FIDO_ERR_UNSUPPORTED_OPTION",
                "FIDO_ERR_INVALID_OPTION", "FIDO_ERR_INVALID_COMMAND",
            ],
            KeychainError(
                .unimplemented, "the security key can't give secrets: it lacks hmac-secret",
                hint: "use one that supports FIDO2")
        ),
        (
            ["FIDO_ERR_KEY_STORE_FULL"],
            KeychainError(.diskFull, "the security key is full", hint: "use another security key")
        ),
    ]

    static var notTouched: KeychainError {
        KeychainError(
            .userCanceled, "the security key was not touched in time",
            hint: "try again, and touch it when it blinks")
    }

    static var wrongKey: KeychainError {
        KeychainError(
            .itemNotFound, "the security key is not one that is enrolled for this keychain",
            hint: "plug in one that lanyard presence list shows")
    }

    static func duplicate(_ device: String) -> KeychainError {
        KeychainError(
            .duplicateItem, "the security key '\(device)' opens the items that ask already",
            hint: "plug in another security key: a second name for it is no second way")
    }

    static var noKey: KeychainError {
        KeychainError(
            .notAvailable, "no security key is plugged in",
            hint: "plug it in and try again; fido2-token -L lists security keys")
    }

    /// Returns the error for what a program wrote before it failed.
    static func error(_ text: String, status: Int32) -> KeychainError {
        meanings.first { meaning in meaning.names.contains { text.contains($0) } }?.error
            ?? KeychainError(
                .notAvailable, "the security key does not answer\(detail(text))",
                hint: "unplug it, plug it in again, and try again")
    }

    /// libfido2's own name of an error, for a report.
    private static func detail(_ text: String) -> String {
        guard let start = text.firstRange(of: "FIDO_ERR_")?.lowerBound else {
            return ""
        }
        let name = text[start...].prefix { $0.isASCII && ($0.isUppercase || $0 == "_") }
        return ": \(name)"
    }
}
