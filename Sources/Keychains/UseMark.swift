internal import Configuration
internal import KeychainServices
internal import LinuxSystem

/// Notes that logins are kept in the Secret Service, where nobody has chosen it: when it can't be reached
/// later, that is worth a word.
struct UseMark {
    private let places: Places

    init(_ places: Places) {
        self.places = places
    }

    private var file: String { "\(places.state)/secret-service-used" }

    var isSet: Bool { (try? PrivatePlace.exists(file)) == true }

    /// Called after an item was stored there. That it can't be noted is no reason to fail.
    func set() {
        guard !isSet else {
            return
        }
        try? PrivatePlace.makeFolder(places.state)
        let nothing: [UInt8] = []
        _ = try? PrivatePlace.createFile(file, nothing.span)
    }
}
