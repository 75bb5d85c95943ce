internal import LanyardConfiguration
internal import KeychainServices
internal import LinuxSystem

/// Records that logins are stored in the Secret Service although the user has not chosen it: if it can't be
/// reached later, Lanyard reports that.
struct UseMark {
    private let places: Places

    init(_ places: Places) {
        self.places = places
    }

    private var file: String { "\(places.state)/secret-service-used" }

    var isSet: Bool { (try? PrivatePlace.exists(file)) == true }

    /// Sets the mark after an item was stored there, and ignores failures.
    func set() {
        guard !isSet else {
            return
        }
        try? PrivatePlace.makeFolder(places.state)
        let nothing: [UInt8] = []
        _ = try? PrivatePlace.createFile(file, nothing.span)
    }
}
