internal import KeychainServices

/// The name under which docker keeps a login: a URL, or a host with or without port and path.
///
/// It is taken apart only where putting the parts together gives the same bytes again. Any other
/// text, such as one with a user in it or a port with a zero before it, stays whole.
struct RegistryURL: Equatable {
    /// The parts of a URL that can be taken apart.
    typealias Parts = ServerURL

    /// The URL as it is written.
    let text: ByteString
    /// Nil for a text that stays whole.
    let parts: Parts?

    init(_ text: ByteString) {
        self.text = text
        parts = ServerURL(text)
    }
}
