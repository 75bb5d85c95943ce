import Foundation
import KeychainServices
import TestSupport
import SealedStore
import Testing

@testable import KeychainWatching

@Suite("the events of an observer", .timeLimit(.minutes(5)))
struct KeychainObserverTests {
    let home: ScratchKeychains

    init() throws {
        home = try ScratchKeychains()
    }

    @Test("added, updated and deleted items, with their attributes and nothing that was there")
    func items() async throws {
        let keychain = try home.open()
        try keychain.add(.internetPassword, login("before"), secret: Secret("x"))
        try await home.observing { events in
            try keychain.add(.internetPassword, login("one"), secret: Secret("x"))
            #expect(try await events.wait(for: 1) == ["added login one"])
            try keychain.update(query("one"), secret: Secret("y"))
            _ = try await events.wait(for: 2)
            try keychain.delete(query("before"))
            try keychain.delete(query("one"))
            let texts = try await events.wait(for: 4)
            #expect(
                texts == [
                    "added login one", "updated login one", "deleted login before",
                    "deleted login one",
                ])
            let all = events.all
            #expect(all[0].item != nil && all[0].item == all[1].item && all[1].item == all[3].item)
            #expect(all[3].attributes?.account == "ada" && all[3].attributes?.creationDate != nil)
        }
    }

    @Test("changes of one transaction, in their order")
    func order() async throws {
        let keychain = try home.open()
        try await home.observing { events in
            try addTogether(700, to: keychain)
            let texts = try await events.wait(for: 700)
            #expect(texts == (0..<700).map { "added login s\($0)" })
            // Two times changed is once updated; what came and went is not mentioned.
            try keychain.transaction { () throws(KeychainError) in
                try keychain.update(query("s7"), secret: Secret("y"))
                try keychain.update(query("s5"), secret: Secret("y"))
                try keychain.update(query("s7"), secret: Secret("z"))
                try keychain.add(.internetPassword, login("short"), secret: Secret("x"))
                try keychain.delete(query("short"))
                try keychain.delete(query("s9"))
            }
            let more = try await events.wait(for: 703)
            #expect(
                more[700...] == ["deleted login s9", "updated login s5", "updated login s7"])
        }
    }

    @Test("only items of some groups, and those that move between groups")
    func groups() async throws {
        let keychain = try home.open(group: "mine")
        let other = try home.open(group: "other")
        try other.add(.internetPassword, login("moves"), secret: Secret("x"))
        try await home.observing(groups: AccessGroups("mine")) { events in
            try other.add(.internetPassword, login("hidden"), secret: Secret("x"))
            try keychain.add(.internetPassword, login("seen"), secret: Secret("x"))
            var changes = ItemAttributes()
            changes.accessGroup = "mine"
            try keychain.update(query("moves"), changes)
            _ = try await events.wait(for: 2)
            changes.accessGroup = "other"
            try keychain.update(query("moves"), changes)
            let texts = try await events.wait(for: 3)
            #expect(texts == ["added login seen", "added login moves", "deleted login moves"])
            #expect(events.all[2].attributes?.accessGroup == "mine")
        }
    }

    @Test("a keychain that comes, goes and comes back")
    func file() async throws {
        try await home.observing { events in
            let location = try home.location()
            try home.open().add(.internetPassword, login("one"), secret: Secret("x"))
            #expect(try await events.wait(for: 1) == ["added login one"])
            // Away without a trace of its deletion: the items may still exist.
            let away = "\(home.folder.path)/away"
            #expect(rename(location.file, away) == 0)
            #expect(try await events.wait(for: 2).last == "unreadable login")
            #expect(events.all.last?.error?.status == .noSuchKeychain)
            #expect(rename(away, location.file) == 0)
            try home.open().add(.internetPassword, login("two"), secret: Secret("x"))
            #expect(try await events.wait(for: 3).last == "added login two")
            try SealedStore.delete(at: location)
            let texts = try await events.wait(for: 5)
            #expect(texts[3...] == ["deleted login one", "deleted login two"])
            try home.open().add(.internetPassword, login("three"), secret: Secret("x"))
            #expect(try await events.wait(for: 6).last == "added login three")
        }
    }

    /// A restoration accepts it before it is there.
    @Test(
        "an older copy that takes the keychain's place, and is accepted", arguments: [false, true])
    func olderCopy(isRestoration: Bool) async throws {
        let keychain = try home.open()
        let location = try home.location()
        for server in ["changed", "deleted", "same"] as [ByteString] {
            try keychain.add(.internetPassword, login(server), secret: Secret("x"))
        }
        let copy = try Data(contentsOf: URL(filePath: location.file))
        try keychain.update(query("changed"), secret: Secret("y"))
        try keychain.delete(query("deleted"))
        try keychain.add(.internetPassword, login("newer"), secret: Secret("x"))
        try await home.observing { events in
            let file = "\(home.folder.path)/copy"
            try copy.write(to: URL(filePath: file))
            chmod(file, 0o600)
            var expected = [
                "deleted login newer", "updated login changed", "added login deleted",
            ]
            if isRestoration {
                let restore = try KeychainRestore(of: file, to: location)
                _ = try restore.apply(keepingPresentIn: "kept")
            } else {
                #expect(rename(file, location.file) == 0)
                expected.insert("unreadable login", at: 0)
                #expect(try await events.wait(for: 1) == ["unreadable login"])
                try SealedStore.acceptRestored(at: location)
            }
            #expect(try await events.wait(for: expected.count) == expected)
        }
    }

    @Test("another default and another search list, whose new keychains are watched")
    func configuration() async throws {
        _ = try home.open()
        try home.configure("[lanyard]\n searchList = login\n default = login\n")
        let work = try home.open("work")
        try work.add(.internetPassword, login("before"), secret: Secret("x"))
        try await home.observing { events in
            try home.configure("[lanyard]\n searchList = login, work\n default = work\n")
            #expect(
                try await events.wait(for: 2)
                    == ["keychain-list-changed login work", "default-changed work"])
            try work.add(.internetPassword, login("one"), secret: Secret("x"))
            #expect(try await events.wait(for: 3).last == "added work one")
            try home.configure("[lanyard\n")
            #expect(try await events.wait(for: 4).last == "unreadable")
            try work.add(.internetPassword, login("two"), secret: Secret("x"))
            #expect(try await events.wait(for: 5).last == "added work two")
            try home.configure("[lanyard]\n searchList = login\n")
            #expect(
                try await events.wait(for: 7).suffix(2)
                    == ["keychain-list-changed login", "default-changed"])
            try work.add(.internetPassword, login("unseen"), secret: Secret("x"))
            try home.open().add(.internetPassword, login("seen"), secret: Secret("x"))
            #expect(try await events.wait(for: 8).last == "added login seen")
        }
    }

    @Test("no call after the end, and nothing that lives on")
    func end() async throws {
        final class Token: Sendable {}
        let keychain = try home.open()
        let events = ObservedEvents()
        var token: Token? = Token()
        weak let remaining = token
        let observer = try KeychainObserver(nil, .all(), places: home.places) { [token] event in
            _ = token
            events.add(event)
            return .next
        }
        token = nil
        try keychain.add(.internetPassword, login("one"), secret: Secret("x"))
        _ = try await events.wait(for: 1)
        #expect(remaining != nil)
        observer.cancel()
        // The thread has ended, or it would still have the callback.
        #expect(remaining == nil)
        observer.cancel()
        try keychain.add(.internetPassword, login("two"), secret: Secret("x"))
        #expect(events.texts == ["added login one"])
    }

    @Test("a callback can end its own observer")
    func endFromWithin() async throws {
        let keychain = try home.open()
        let events = ObservedEvents()
        let holder = ObserverHolder()
        holder.set(
            try KeychainObserver(nil, .all(), places: home.places) { event in
                events.add(event)
                holder.take()?.cancel()
                return .next
            })
        try keychain.add(.internetPassword, login("one"), secret: Secret("x"))
        _ = try await events.wait(for: 1)
        while holder.isFull {
            try await Task.sleep(for: .milliseconds(5))
        }
        try keychain.add(.internetPassword, login("two"), secret: Secret("x"))
        #expect(events.texts == ["added login one"])
    }

    @Test("a keychain that is not a sealed file is refused")
    func otherKind() async throws {
        #expect(throws: KeychainError(.param)) {
            _ = try KeychainObserver("secret-service", .all(), places: home.places) { _ in .next }
        }
    }
}
