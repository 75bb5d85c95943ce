import Foundation
import KeychainServices
import SealedStore
import Testing
@testable import EndToEndRig

/// `lanyard list` with many items.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct LongListTests {
    let home: ScratchHome

    init() throws {
        home = try ScratchHome()
    }

    /// Adds items in one transaction, each with a remark that shows if they are all kept in memory.
    private func fill(_ count: Int) throws {
        let location = KeychainLocation(file: home.keychain, stateFolder: home.state)
        let keychain = Keychain(try SealedStore.openOrMake(at: location), accessGroups: .all())
        try keychain.transaction { () throws(KeychainError) in
            for number in 0..<count {
                var attributes = ItemAttributes()
                attributes.server = ByteString("host-\(number).example")
                attributes.protocol = .https
                attributes.account = "漢字 \u{1F468}"
                attributes.comment = ByteString(String(repeating: "c", count: 1000))
                try keychain.add(.internetPassword, attributes, secret: Secret("s"))
            }
        }
    }

    /// The most memory that lanyard had, in KiB.
    private func peak(_ arguments: String...) async throws -> Int {
        var command = try home.command(
            "python3",
            [
                "-c",
                """
                import resource, subprocess, sys
                subprocess.run(["lanyard"] + sys.argv[1:], check=True, stdout=subprocess.DEVNULL)
                print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
                """,
            ] + arguments)
        command.timeLimit = .seconds(120)
        let outcome = try await command.run()
        return try #require(Int(outcome.outputText.dropLast()), "\(outcome)")
    }

    @Test(.needs(.unsanitized, .python))
    func tenThousandItemsTakeNoMoreMemoryThanAHundred() async throws {
        try fill(100)
        let few = try await peak("list", "--json")
        try fill10000()
        let many = try await peak("list", "--json")
        // 10 MB of remarks alone, were they kept.
        #expect(many < few + 4096, "\(few) and \(many) KiB")
        let table = try await peak("list")
        #expect(table < few + 4096, "\(few) and \(table) KiB")

        let list = "\(home.path)/list"
        try await home.shell("lanyard list --json >\"$1\"", list, timeLimit: .seconds(240))
        let items = try JSONText(try home.read(list)).elements
        #expect(items.count == 10_000)
        let names = Set(items.map { $0.members["name"] })
        #expect(names.count == 10_000)
        #expect(items.first?.members["name"] == "https://host-9999.example")

        let shown = try await home.shell("lanyard list", timeLimit: .seconds(240))
        let lines = shown.outputText.split(separator: "\n")
        #expect(lines.count == 10_001)
        // As wide as the widest of all, also those that are read a second time.
        #expect(
            lines[0].hasPrefix("GROUP  NAME                       ACCOUNT  CHANGED"), "\(lines[0])")
    }

    private func fill10000() throws {
        let location = KeychainLocation(file: home.keychain, stateFolder: home.state)
        try SealedStore.delete(at: location)
        try fill(10_000)
    }

    /// A list that is not read must not keep others from writing.
    @Test func anUnreadListDelaysNoOne() async throws {
        try fill(10_000)
        let outcome = try await home.shell(
            """
            mkfifo "$1"
            # Keeps both ends open, and reads nothing.
            sleep 60 <>"$1" &
            reader=$!
            lanyard list --json >"$1" &
            lister=$!
            sleep 2
            # The list waits for its reader, or the test says nothing.
            kill -0 $lister
            status=0
            printf 'protocol=https\\nhost=new.example\\nusername=ada\\npassword=pw\\n' |
                timeout 8 git-credential-lanyard store || status=$?
            kill $lister $reader
            echo $status
            """, "\(home.path)/fifo")
        #expect(outcome.outputText == "0\n", "\(outcome)")
        #expect(outcome.errorText.isEmpty, "\(outcome)")
        try await home.expectGet(
            "protocol=https\nhost=new.example\n", "username=ada\npassword=pw\n")
    }
}
