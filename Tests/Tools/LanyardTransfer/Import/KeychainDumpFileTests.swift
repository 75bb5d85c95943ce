import TestSupport
import LanyardTransfer
import KeychainServices
import Testing

@Suite struct KeychainDumpFileTests {
    private static let dump = #"""
        keychain: "/Users/ada/Library/Keychains/login.keychain-db"
        version: 512
        class: "inet"
        attributes:
            0x00000007 <blob>="example.com (ada)"
            0x00000008 <blob>=<NULL>
            "acct"<blob>="ada"
            "atyp"<blob>="form"
            "cdat"<timedate>=0x32303234303130313132303030305A00  "20240101120000Z\000"
            "crtr"<uint32>="aapl"
            "cusi"<sint32>=<NULL>
            "desc"<blob>="Web form password"
            "icmt"<blob>="default "quoted""
            "invi"<sint32>=0x00000001 
            "mdat"<timedate>="20240229235959Z\000"
            "nega"<sint32>=<NULL>
            "path"<blob>="/login"
            "port"<uint32>=0x000001BB 
            "prot"<blob>=<NULL>
            "ptcl"<uint32>="htps"
            "sdmn"<blob>=""
            "srvr"<blob>="example.com"
            "type"<uint32>=<NULL>
        data:
        "s3"cr\134et"
        keychain: "/Users/ada/Library/Keychains/login.keychain-db"
        version: 512
        class: "genp"
        attributes:
            0x00000007 <blob>=0x4EC3BC  "N\303\274"
            "acct"<blob>=<NULL>
            "gena"<blob>=0x00FF  "\000\377"
            "svce"<blob>="Nü"
            "srvr"<blob>="not of this class"
            "type"<uint32>="note"
        data:
        0x610A62  "a\012b"
        keychain: "/Library/Keychains/System.keychain"
        version: 256
        class: 0x80001000 
        attributes:
            "alis"<blob>="a certificate"
        data:
        0x3082  "0\202"
        keychain: "/Users/ada/Library/Keychains/login.keychain-db"
        class: 0x67656E70 
        attributes:
            "svce"<blob>="without data"
        keychain: "/Users/ada/Library/Keychains/login.keychain-db"
        class: "genp"
        attributes:
            "svce"<blob>="empty"
        data:
        ""
        keychain: "/Users/ada/Library/Keychains/other.keychain-db"
        class: "genp"
        attributes:
            "svce"<blob>="Nü"
            "gena"<blob>=0x00FF  "\000\377"
        data:
        "another"

        """#

    @Test func theItemsOfADump() throws {
        let entries = try read(KeychainDumpFile(), KeychainDumpFileTests.dump)
        let internet = attributes {
            $0.accessGroup = "login"
            $0.label = "example.com (ada)"
            $0.account = "ada"
            $0.authenticationType = .htmlForm
            $0.creator = "aapl"
            $0.itemDescription = "Web form password"
            $0.comment = "default \"quoted\""
            $0.creationDate = Timestamp(secondsSinceEpoch: 1_704_110_400)
            $0.modificationDate = Timestamp(secondsSinceEpoch: 1_709_251_199)
            $0.isInvisible = true
            $0.path = "/login"
            $0.port = 443
            $0.protocol = .https
            $0.server = "example.com"
        }
        let generic = attributes {
            $0.accessGroup = "login"
            $0.label = "Nü"
            $0.generic = ByteString([0x00, 0xFF])
            $0.service = "Nü"
            $0.type = "note"
        }
        #expect(
            entries.map(\.login?.attributes) == [internet, generic, nil, nil, nil, nil, nil])
        #expect(entries[0].login?.itemClass == .internetPassword)
        #expect(entries[1].login?.itemClass == .genericPassword)
        #expect(entries.map(\.login?.text) == ["s3\"cr\\et", "a\nb", nil, nil, nil, nil, nil])
        #expect(entries[2].loss == .unread("srvr"))
        #expect(
            entries.map(\.reason) == [
                nil, nil, nil, "it is not a password", "its password is not in the dump",
                "it has no password", "another entry is for the same place and account",
            ])
        #expect(entries.map(\.place) == [1, 26, 26, 38, 45, 49, 55].map { "line \($0)" })
    }

    @Test func whatIsCutLeavesTheOthersAsTheyWere() throws {
        let bytes = Array(KeychainDumpFileTests.dump.utf8)
        let entries = try read(KeychainDumpFile(), bytes)
        #expect(cut(entries, from: bytes).isEmpty)
        let left = try read(KeychainDumpFile(), cut([entries[0]], from: bytes))
        #expect(left.map(\.content) == entries.dropFirst().map(\.content))
        #expect(try read(KeychainDumpFile(), "\n").isEmpty)
    }

    @Test(arguments: ["x\nkeychain: \"a\"\n", "\nclass: \"genp\"\n"])
    func whatIsNoSuchFileIsRefused(_ text: String) {
        let error = refusal(KeychainDumpFile(), text)
        #expect(error?.status == .decode)
        #expect(error?.reason.hasPrefix("line \(text.hasPrefix("\n") ? 2 : 1) ") == true)
    }

    /// Bytes as Apple's print_buffer writes them: as text what can be printed, as digits what has a
    /// byte that can't, and as both what has bytes of both kinds.
    private static func printed(_ bytes: [UInt8]) -> String {
        func isPlain(_ byte: UInt8) -> Bool {
            (0x20...0x7E).contains(byte) && byte != UInt8(ascii: "\\")
        }
        func octal(_ byte: UInt8) -> String {
            let digits = String(byte, radix: 8)
            return "\\" + String(repeating: "0", count: 3 - digits.count) + digits
        }
        let text = bytes.map { isPlain($0) ? String(UnicodeScalar($0)) : octal($0) }.joined()
        guard !bytes.allSatisfy(isPlain) else {
            return "\"\(text)\""
        }
        let digits = "0123456789ABCDEF".map(String.init)
        let hexadecimal = bytes.map { digits[Int($0 >> 4)] + digits[Int($0 & 0x0F)] }.joined()
        return bytes.contains(where: isPlain)
            ? "0x\(hexadecimal)  \"\(text)\"" : "0x\(hexadecimal) "
    }

    @Test func randomLoginsAreReadAsTheyWereWritten() throws {
        var random = SeededRandom()
        for _ in 0..<60 {
            let logins = random.logins(random.number(below: 8)) { $0.bytes() }.map { login in
                var login = login
                if random.number(below: 3) == 0 {
                    login.password = login.password.map { $0 | 0x80 }
                }
                return login
            }
            var file = ""
            for login in logins {
                file += "keychain: \"/k\"\nversion: 512\nclass: \"inet\"\nattributes:\n"
                let port = [UInt8((login.port ?? 0) >> 8), UInt8((login.port ?? 0) & 0xFF)]
                let attributes = [
                    "    \"acct\"<blob>=\(KeychainDumpFileTests.printed(login.user))\n",
                    "    \"srvr\"<blob>=\(KeychainDumpFileTests.printed(Array(login.host.utf8)))\n",
                    login.port == nil
                        ? "    \"port\"<uint32>=<NULL>\n"
                        : "    \"port\"<uint32>=\(KeychainDumpFileTests.printed([0, 0] + port))\n",
                ]
                file += attributes.shuffled(using: &random).joined()
                file += "data:\n\(KeychainDumpFileTests.printed(login.password))\n"
            }
            let bytes = Array(file.utf8)
            let entries = try read(KeychainDumpFile(), bytes)
            let read = entries.map { entry in
                RandomLogin(
                    host: entry.login?.attributes.server?.description ?? "",
                    port: entry.login?.attributes.port,
                    user: entry.login?.attributes.account?.bytes ?? [],
                    password: entry.login?.secret ?? [])
            }
            #expect(read == logins)
            #expect(cut(entries, from: bytes).isEmpty)
        }
    }
}
