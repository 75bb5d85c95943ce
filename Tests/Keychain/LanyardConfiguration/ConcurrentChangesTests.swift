import Dispatch
import KeychainServices
import TestSupport
import Synchronization
import Testing

@testable import LanyardConfiguration

@Suite struct ConcurrentChangesTests {
    private let folder: ScratchFolder

    init() throws {
        folder = try ScratchFolder()
    }

    @Test func noneIsLost() throws {
        let failures = Mutex<[String]>([])
        let places = folder.places
        for round in 0..<5 {
            DispatchQueue.concurrentPerform(iterations: 8) { number in
                do {
                    var configuration = try Configuration(places: places)
                    try configuration.set("x", for: "label", ofKeychain: "k\(round)-\(number)")
                } catch {
                    failures.withLock { $0.append("\(error)") }
                }
            }
        }
        #expect(failures.withLock { $0 } == [])
        let names = try Configuration(places: places).keychains().filter { $0.hasPrefix("k") }
        #expect(names.count == 40)
    }
}
