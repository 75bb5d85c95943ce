import KeychainServices
import Testing

@testable import KeychainWatching

@Suite("the events as a sequence", .timeLimit(.minutes(5)))
struct KeychainEventsTests {
    let home: ScratchKeychains

    init() throws {
        home = try ScratchKeychains()
    }

    @Test("each event once, in order, until the consumer has enough")
    func sequence() async throws {
        let keychain = try home.open()
        let events = try KeychainEvents(nil, .all(), places: home.places)
        for number in 0..<20 {
            try keychain.add(
                .internetPassword, login(ByteString("s\(number)")), secret: Secret("x"))
        }
        var texts: [String] = []
        for await event in events {
            texts.append(event.text)
            if texts.count == 20 {
                break
            }
        }
        #expect(texts == (0..<20).map { "added login s\($0)" })
    }

    @Test("a slow consumer gets all, with no more than 1,000 waiting")
    func slowConsumer() async throws {
        let keychain = try home.open()
        let events = try KeychainEvents(nil, .all(), places: home.places)
        try addTogether(2500, to: keychain)
        try await Task.sleep(for: .milliseconds(300))
        var texts: [String] = []
        for await event in events {
            texts.append(event.text)
            if texts.count == 2500 {
                break
            }
        }
        #expect(texts == (0..<2500).map { "added login s\($0)" })
    }

    @Test("cancelling the task ends the iteration", arguments: [0, 2000])
    func cancellation(itemsBefore: Int) async throws {
        let keychain = try home.open()
        let events = try KeychainEvents(nil, .all(), places: home.places)
        // More than can wait: the watching thread is then inside of the callback.
        try addTogether(itemsBefore, to: keychain)
        let task = Task {
            var count = 0
            for await _ in events {
                count += 1
                try? await Task.sleep(for: .milliseconds(5))
            }
            return count
        }
        try await Task.sleep(for: .milliseconds(100))
        task.cancel()
        #expect(await task.value <= itemsBefore)
    }
}
