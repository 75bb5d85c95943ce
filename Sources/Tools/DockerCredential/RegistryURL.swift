internal import KeychainServices

/// The name that docker stores a login under: a URL, or a host with or without port and path.
///
/// It is parsed only if joining the parts yields the same bytes again. Any other text, such as one with a
/// user or with a leading zero in the port, is not parsed.
struct RegistryURL: Equatable {
    /// The parts of a parsed URL.
    typealias Parts = ServerURL

    /// The URL in its original form.
    let text: ByteString
    /// Nil for an unparsed text.
    let parts: Parts?

    init(_ text: ByteString) {
        self.text = text
        parts = ServerURL(text)
    }
}
