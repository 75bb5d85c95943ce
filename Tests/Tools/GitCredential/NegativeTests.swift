import KeychainServices
import StoreConformance
import Testing

@Suite("a negative item")
struct NegativeTests {
    private let request = "protocol=https\nhost=example.com\n"

    @Test("answers nothing, whatever secret it has")
    func get() throws {
        let rig = GitRig()
        try rig.put(secret: "old") { $0.isNegative = true }
        #expect(try rig.get(request) == "")
    }

    @Test("hides no other login of the host")
    func others() throws {
        let rig = GitRig()
        try rig.store("\(request)username=ada\npassword=a\n")
        try rig.put(secret: "old") {
            $0.account = "bob"
            $0.isNegative = true
        }
        #expect(try rig.get(request) == "username=ada\npassword=a\n")
        #expect(try rig.get("\(request)username=bob\n") == "")
    }

    @Test("keeps its place: the password that git asked for is not stored")
    func store() throws {
        let rig = GitRig()
        try rig.put(secret: "old") {
            $0.account = "ada"
            $0.isNegative = true
        }
        try rig.store("\(request)username=ada\npassword=new\n")
        #expect(rig.store.counts.adds + rig.store.counts.updates == 0)
        #expect(try rig.items == ["htps example.com - - ada = old"])
    }

    @Test("is not erased with a login")
    func erase() throws {
        let rig = GitRig()
        try rig.put(secret: "old") { $0.isNegative = true }
        try rig.store("\(request)username=ada\npassword=a\n")
        try rig.erase(request)
        #expect(try rig.items == ["htps example.com - - - = old"])
    }

    @Test("an item with a false mark is like any other")
    func no() throws {
        let rig = GitRig()
        try rig.put(secret: "pw") { $0.isNegative = false }
        #expect(try rig.get(request) == "password=pw\n")
    }
}
