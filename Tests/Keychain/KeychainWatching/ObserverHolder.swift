import KeychainWatching
import Synchronization

/// An observer that its own callback can end.
final class ObserverHolder: Sendable {
    private let observer = Mutex<KeychainObserver?>(nil)

    func set(_ observer: KeychainObserver) {
        self.observer.withLock { $0 = observer }
    }

    func take() -> KeychainObserver? {
        observer.withLock { $0.take() }
    }

    var isFull: Bool { observer.withLock { $0 != nil } }
}
