import Foundation
import TestSupport
import LanyardTransfer
import KeychainServices
import Testing

@Suite struct CSVFileTests {
    private func item(
        _ label: ByteString?, _ account: ByteString?, _ server: ByteString, path: ByteString? = nil,
        comment: ByteString? = nil, realm: ByteString? = nil, protocol: ProtocolType? = .https
    ) -> ItemAttributes {
        attributes {
            $0.accessGroup = "login"
            $0.label = label
            $0.account = account
            $0.server = server
            $0.path = path
            $0.comment = comment
            $0.securityDomain = realm
            $0.protocol = `protocol`
        }
    }

    @Test func chrome() throws {
        let entries = try read(
            CSVFile(),
            "name,url,username,password,note\r\n"
                + "example.com,https://example.com/,ada,\"s3\"\"c,ret\",\"a\r\nb\"\r\n"
                + "app,android://aGFzaA==@com.example.app/,bob,pw,\r\n")
        #expect(entries.map(\.place) == ["line 2", "line 4"])
        #expect(entries.allSatisfy { $0.ranges.isEmpty })
        #expect(
            entries.map(\.login?.attributes) == [
                item("example.com", "ada", "example.com", comment: "a\r\nb"),
                item(
                    "app", "bob", "com.example.app", protocol: ProtocolType(scheme: "android")),
            ])
        #expect(entries.map(\.login?.text) == ["s3\"c,ret", "pw"])
    }

    @Test func firefox() throws {
        let entries = try read(
            CSVFile(),
            """
            "url","username","password","httpRealm","formActionOrigin","guid","timeCreated","timePasswordChanged"
            "https://example.com","ada","pw",,"https://example.com","{1}","1600000000999","1700000000000"
            "http://example.org:8080","bob","pw2","The realm",,"{2}","",""

            """)
        var first = item(nil, "ada", "example.com")
        first.creationDate = Timestamp(secondsSinceEpoch: 1_600_000_000)
        first.modificationDate = Timestamp(secondsSinceEpoch: 1_700_000_000)
        var second = item(nil, "bob", "example.org", realm: "The realm", protocol: .http)
        second.port = 8080
        #expect(
            entries.map(\.login?.attributes) == [first, second])
    }

    @Test func safari() throws {
        let entries = try read(
            CSVFile(),
            """
            Title,URL,Username,Password,Notes,OTPAuth
            example.com (ada),https://example.com/,ada,pw,,otpauth://totp/x?secret=ABC
            """)
        #expect(
            entries.map(\.login?.attributes)
                == [item("example.com (ada)", "ada", "example.com"), nil])
        // Who removes the export would lose it.
        #expect(entries.map(\.loss) == [nil, .oneTimePassword])
    }

    @Test(arguments: ["OTPAuth", "TOTP", "login_totp"])
    func keysOfOneTimePasswordsAreItems(column: String) throws {
        let entries = try read(
            CSVFile(),
            """
            Title,URL,Username,Password,\(column)
            x,https://example.com/,ada,pw,otpauth://totp/x?secret=GEZDGNBVGY3TQOJQ
            y,,,pw,
            """)
        var code = item("x", "ada", "example.com")
        code.accessGroup = "code"
        #expect(
            entries.prefix(2).map(\.login?.attributes) == [item("x", "ada", "example.com"), code])
        #expect(entries[1].login?.text == "otpauth://totp/x?secret=GEZDGNBVGY3TQOJQ")
        #expect(entries.count == 3)
    }

    /// Dashlane has two columns for it.
    @Test func theColumnWithAKeyCounts() throws {
        let entries = try read(
            CSVFile(), "Title,Password,otpUrl,otpSecret\nx,pw,,GEZDGNBVGY3TQOJQ\n")
        #expect(entries.compactMap(\.login?.attributes.accessGroup) == ["login", "code"])
        #expect(entries.allSatisfy { $0.loss == nil })
    }

    /// An entry without a password has only such a key.
    @Test func keyDoesNotReplaceAnEarlierOne() throws {
        let entries = try read(
            CSVFile(),
            """
            Title,URL,Username,Password,TOTP
            a,https://example.com/,ada,pw,GEZDGNBVGY3TQOJQ
            b,https://example.com/,ada,,GEZDGNBVGY3TQOJR
            c,https://example.com/,ada,,GEZDGNBVGY3TQOJQ
            d,https://example.org/,ada,,GEZDGNBVGY3TQOJQ
            e,https://example.org/,ada,pw,GEZDGNBVGY3TQOJR
            """)
        func key(_ end: String) -> String { "otpauth://totp/ada?secret=GEZDGNBVGY3TQOJ\(end)" }
        #expect(entries.map(\.login?.text) == ["pw", key("Q"), key("R"), nil, key("Q"), "pw", nil])
        #expect(entries[2].login?.attributes.service == "b")
        #expect(entries[3].content == .shadowed)
        #expect(entries[6].reason == "another entry is for the same place and account")
    }

    @Test func whatAnItemHasNoRoomForIsHandedOutByItself() throws {
        let long = String(repeating: "n", count: 65_535)
        let entries = try read(
            CSVFile(),
            """
            folder,tags,name,notes,fields,login_uri,login_username,login_password,login_totp
            Work,a b;c,Full,\(long),pin: 1234,"https://a.example.com,https://b.example.com",ada,pw,ABC
            ,,Plain,,,https://c.example.com,ada,pw,
            Work,a b,None,,"pin: 12
            34",https://d.example.com,ada,,ABC
            Work,a b,Nothing,,,https://d.example.com,ada,,
            """)
        #expect(
            entries.map(\.loss) == [
                nil, nil, nil, .oneTimePassword, .longNote, nil, nil, .oneTimePassword, .address,
                nil,
            ])
        #expect(entries.map(\.place).dropLast(5).allSatisfy { $0 == "line 2" })
        #expect(
            entries.compactMap(\.login).filter { $0.itemClass == .genericPassword }.map {
                "\($0.attributes.service ?? "") = \($0.text)"
            } == ["Full/pin = 1234", "None/pin = 12\n34"])
        let comment = try #require(entries.first?.login?.attributes.comment)
        #expect(comment.bytes.count == 65_535)
        #expect(comment.description.hasSuffix("n\n\nFolder: Work\nTags: a b, c"))
        #expect(entries[2].login?.attributes.comment == "Folder: Work\nTags: a b, c")
        // Of an entry that is skipped nothing else is said.
        #expect(entries.last?.reason == "it has no password")
    }

    /// The last column of a row is the same with blanks after the separators; a password's own blank stays.
    @Test(arguments: [",", ";", "\t"]) func separators(_ separator: String) throws {
        for (head, blank) in [("", ""), ("sep=\(separator)\r\n", ""), ("", " ")] {
            let rows = [["URL", "Username", "Password"], ["https://a.example", "ada", " pw"]]
            let text = rows.map { $0.joined(separator: separator + blank) }
            let entries = try read(CSVFile(), head + text.joined(separator: "\r\n"))
            #expect(entries.map(\.login?.text) == [" pw"])
            #expect(entries.first?.login?.attributes.account == "ada")
            #expect(entries.first?.place == (head.isEmpty ? "line 2" : "line 3"))
        }
    }

    /// KeePassXC exports its recycle bin, too; another program's groups have no common root.
    @Test func theRecycleBin() throws {
        let entries = try read(
            CSVFile(),
            """
            "Group","Title","Username","Password","URL","Notes"
            "Root/Work","a","","one","",""
            "Root/Recycle Bin","b","","two","",""
            "Root/Recycle Bin/Old","c","","three","",""
            """)
        #expect(entries.map(\.login?.text) == ["one", nil, nil])
        #expect(
            entries.compactMap(\.reason) == [
                "it is in the recycle bin", "it is in the recycle bin",
            ])
        let others = try read(CSVFile(), "group,name,password\nWork,a,pw\nHome/Recycle Bin,b,pw\n")
        #expect(
            others.map(\.login?.attributes.comment)
                == ["Folder: Work", "Folder: Home/Recycle Bin"])
    }

    /// A field may have several addresses, as in Bitwarden and Proton Pass.
    @Test(arguments: [
        (
            "https://b.example,https://c.example/x",
            ["https://b.example", "https://c.example/x"]
        ),
        (
            "https://b.example/, http://c.example:8080",
            ["https://b.example", "http://c.example:8080"]
        ),
        ("b.example,c.example/x", ["b.example", "c.example/x"]),
        ("https://b.example/x,y?z,http", ["https://b.example/x,y"]),
        (
            "https://b.example/x,,https://c.example/y,",
            ["https://b.example/x,", "https://c.example/y,"]
        ),
        (",", []),
    ])
    func severalAddresses(field: String, addresses: [String]) throws {
        for column in ["url", "login_uri"] {
            let entries = try read(
                CSVFile(), "name,\(column),username,password\nx,\"\(field)\",ada,pw\n")
            let items = entries.compactMap(\.login?.attributes).filter { $0.server != nil }
            #expect(
                items.map { a in
                    [
                        a.protocol.map { "\($0 == .https ? "https" : "http")://" } ?? "",
                        "\(a.server ?? "")", a.port.map { ":\($0)" } ?? "",
                        a.path.map { "/\($0)" } ?? "",
                    ].joined()
                } == addresses)
            #expect(entries.count == max(addresses.count, 1))
        }
    }

    @Test func theEmailIsTheAccountWithoutAUserName() throws {
        let entries = try read(
            CSVFile(),
            "name,url,email,username,password\n"
                + "a,https://a.example,ada@a.example,,pw\nb,https://b.example,ada@a.example,ada,pw\n"
        )
        #expect(entries.map(\.login?.attributes.account) == ["ada@a.example", "ada", "ada"])
        // Next to a user name it is a field of its own.
        #expect(entries[2].login?.attributes.service == "b/email")
        #expect(entries[2].login?.text == "ada@a.example")
    }

    /// Without a password the notes are the secret then, as without a key.
    @Test(arguments: ["otpauth://hotp/x?secret=GEZDGNBVGY3TQOJQ&counter=1", "steam://ABC", "1!"])
    func notesNextToAnUnusableKey(key: String) throws {
        let entries = try read(
            CSVFile(),
            """
            name,notes,login_uri,login_username,login_password,login_totp
            Codes,1234 5678,https://a.example,ada,,\(key)
            """)
        #expect(entries.map(\.login?.text) == ["1234 5678", nil, nil])
        #expect(entries.map(\.loss) == [nil, .oneTimePassword, .address])
        let attributes = try #require(entries.first?.login?.attributes)
        #expect(attributes.service == "Codes" && attributes.comment == nil)
    }

    /// Each keeps its password, whatever has its place.
    @Test func entriesOfOneTitleAllArrive() throws {
        let entries = try read(
            CSVFile(),
            """
            "Group","Title","Username","Password","URL","Notes"
            "Root/Home","Wi-Fi","","one","",""
            "Root/Work","Wi-Fi","","two","",""
            "Root","Wi-Fi","guest","three","",""
            "Root/Home","Wi-Fi","","one","",""
            "Root","Wi-Fi","","one","","in the cellar"
            "Root","Mail","ada","four","https://mail.example.com",""
            "Root","Mail","ada","five","https://mail.example.com",""
            "Root","Mail","ada","four","https://mail.example.com",""
            "Root","","ada","six","https://mail.example.com",""
            """)
        #expect(
            entries.map { $0.login.map { "\($0.attributes.name) = \($0.text)" } } == [
                "Wi-Fi - = one", "Wi-Fi (2) - = two", "Wi-Fi guest = three", nil,
                "Wi-Fi (3) - = one", "mail.example.com ada = four", "Mail ada = five", nil, nil,
            ])
        #expect(
            entries.map(\.login?.attributes.comment).prefix(5) == [
                "Folder: Home", "Folder: Work", nil, nil, "in the cellar",
            ])
        #expect(entries[3].content == .shadowed && entries[7].content == .shadowed)
        #expect(entries[8].reason == "another entry is for the same place and account")
        #expect(entries[1].login?.attributes.label == "Wi-Fi")
    }

    @Test func bitwarden() throws {
        let entries = try read(
            CSVFile(),
            """
            folder,favorite,type,name,notes,fields,reprompt,login_uri,login_username,login_password,login_totp
            Work,1,login,Two,n,,0,"https://a.example.com/x?session=1,https://b.example.com",ada,pw,
            ,,note,Safe,12-34-56,,0,,,,
            ,,login,One,,,0,b.example.org,bob,pw,
            """)
        let note = attributes {
            $0.accessGroup = "login"
            $0.label = "Safe"
            $0.service = "Safe"
        }
        #expect(
            entries.map(\.login?.attributes) == [
                item("Two", "ada", "a.example.com", path: "x", comment: "n\n\nFolder: Work"),
                item("Two", "ada", "b.example.com", comment: "n\n\nFolder: Work"), note,
                item("One", "bob", "b.example.org", protocol: nil),
            ])
        #expect(entries.map(\.login?.text) == ["pw", "pw", "12-34-56", "pw"])
        #expect(entries[2].login?.itemClass == .genericPassword)
    }

    @Test func keePassXC() throws {
        let entries = try read(
            CSVFile(),
            """
            "Group","Title","Username","Password","URL","Notes","TOTP","Icon","Last Modified","Created"
            "Root","Router","admin","pw","","","","0","2024-02-29T23:59:59Z","2024-01-01T12:00:00Z"
            """)
        let expected = attributes {
            $0.accessGroup = "login"
            $0.label = "Router"
            $0.service = "Router"
            $0.account = "admin"
            $0.creationDate = Timestamp(secondsSinceEpoch: 1_704_110_400)
            $0.modificationDate = Timestamp(secondsSinceEpoch: 1_709_251_199)
        }
        #expect(entries.map(\.login?.attributes) == [expected])
        #expect(entries.first?.login?.itemClass == .genericPassword)
    }

    @Test func lastPass() throws {
        let entries = try read(
            CSVFile(),
            """
            url,username,password,totp,extra,name,grouping,fav
            https://example.com/login,ada,pw,,a note,Example,Work,0
            http://sn,,,,the note,A note,,0
            """)
        let comment: ByteString = "a note\n\nFolder: Work"
        #expect(
            entries.first?.login?.attributes
                == item("Example", "ada", "example.com", path: "login", comment: comment))
        #expect(entries.last?.login?.attributes.service == "A note")
        #expect(entries.last?.login?.attributes.comment == nil)
        #expect(entries.last?.login?.text == "the note")
    }

    @Test(
        arguments: [
            (
                "Title,Url,Username,Password,OTPAuth,Favorite,Archived,Tags,Notes",
                "ServiceNow,http://sn,ada,pw,,false,false,,"
            ),
            ("name,url,username,password,note", "ServiceNow,http://sn,ada,pw,a remark"),
            (
                "url,username,password,totp,extra,name,grouping,fav",
                "http://sn,ada,pw,,a remark,ServiceNow,,0"
            ),
        ])
    func aHostWithTheNameOfLastPassNotesKeepsItsPassword(_ header: String, _ row: String) throws {
        let entries = try read(CSVFile(), "\(header)\n\(row)\n")
        let comment: ByteString? = row.contains("a remark") ? "a remark" : nil
        #expect(
            entries.map(\.login?.attributes)
                == [item("ServiceNow", "ada", "sn", comment: comment, protocol: .http)])
        #expect(entries.first?.login?.text == "pw")
    }

    @Test func aNoteWithAPasswordIsALogin() throws {
        let entries = try read(
            CSVFile(),
            """
            folder,favorite,type,name,notes,fields,reprompt,login_uri,login_username,login_password,login_totp
            ,,note,Safe,12-34-56,,0,https://example.com,ada,pw,
            ,,note,Door,,,0,,,pw2,
            """)
        let door = attributes {
            $0.accessGroup = "login"
            $0.label = "Door"
            $0.service = "Door"
        }
        #expect(
            entries.map(\.login?.attributes)
                == [item("Safe", "ada", "example.com", comment: "12-34-56"), door])
        #expect(entries.map(\.login?.text) == ["pw", "pw2"])
    }

    @Test func onePassword() throws {
        let entries = try read(
            CSVFile(),
            "\u{FEFF}Title,Url,Username,Password,OTPAuth,Favorite,Archived,Tags,Notes\n"
                + "Example,https://example.com,ada,pw,,false,false,work;two words,\n")
        #expect(
            entries.map(\.login?.attributes)
                == [item("Example", "ada", "example.com", comment: "Tags: work, two words")])
    }

    @Test(
        arguments: [
            (
                "https://ada:s3cr3t@example.com/a%20b/?t0ken=1#x", "https", "example.com", "a b",
                "ada"
            ),
            ("HTTPS://[::1]:8443/", "https", "[::1]", nil, nil),
            ("www.example.com/login", nil, "www.example.com", "login", nil),
            ("localhost", nil, "localhost", nil, nil),
            ("192.0.2.1", nil, "192.0.2.1", nil, nil),
        ])
    func anAddressBecomesAttributes(
        _ url: String, _ scheme: String?, _ server: String, _ path: String?, _ account: String?
    ) throws {
        let entries = try read(CSVFile(), "name,url,username,password\nx,\(url),,pw\n")
        let attributes = entries.first?.login?.attributes
        #expect(attributes?.protocol == scheme.map { ProtocolType(scheme: ByteString($0)) })
        #expect(attributes?.server?.description == server)
        #expect(attributes?.path?.description == path)
        #expect(attributes?.account?.description == account)
        #expect(!"\(entries)".contains("s3cr3t") && !"\(entries)".contains("t0ken"))
    }

    @Test(
        arguments: [
            "my router", "notes.", "1.2", "about:blank", "file:///etc", "https://",
            "ada@example.com",
            "https://h:99999/", "https://a:b:c/", "ht tp://h", "-",
        ])
    func whatIsNoAddressIsANameAlone(_ url: String) throws {
        let entries = try read(
            CSVFile(), "name,url,username,password\nThe name,\(url),ada,pw\n,\(url),ada,pw\n")
        #expect(entries.first?.login?.attributes.service == "The name")
        #expect(entries.first?.login?.attributes.server == nil)
        #expect(entries.last?.reason == "it has no name and no readable address")
    }

    /// A password in another encoding would be another one.
    @Test func aLineThatIsNotUTF8IsNamed() throws {
        var text = Array("url,username,password\nhttps://a.example,ada,caf".utf8)
        text += [0xE9] + Array("\nhttps://b.example,bob,pw\n".utf8)
        let entries = try read(CSVFile(), text)
        #expect(
            entries.map(\.reason) == ["it is not UTF-8: save the file in that encoding", nil])
    }

    /// PowerShell 5 writes it.
    @Test(arguments: [String.Encoding.utf16LittleEndian, .utf16BigEndian], ["\u{FEFF}", ""])
    func anotherEncodingIsNamed(_ encoding: String.Encoding, mark: String) throws {
        let text = try #require("\(mark)name,password\na,b\n".data(using: encoding))
        let error = #expect(throws: KeychainError.self) {
            try CSVFile().count(Secret(copying: Array(text).span))
        }
        #expect(error?.reason == "it is UTF-16")
        #expect(error?.hint == "save it as UTF-8: iconv -f UTF-16 -t UTF-8")
    }

    @Test func whatCanNotBeKeptIsSkipped() throws {
        let long = String(repeating: "x", count: 66_000)
        let entries = try read(
            CSVFile(),
            """
            url,username,password
            https://a.example,ada,
            https://a.example,ada,with,comma
            https://a.example,ada
            https://a.example,ada,"pw" x
            https://a.example,ada,pw

            https://a.example/?other,ada,pw2
            https://a.example,\(long),pw
            """)
        #expect(
            entries.map(\.reason) == [
                "it has no password", "its columns don't match the first line",
                "its columns don't match the first line",
                "its columns don't match the first line", nil,
                "another entry is for the same place and account",
                "one of its values is too long",
            ])
        #expect(
            entries.map(\.place) == [2, 3, 4, 5, 6, 8, 9].map { "line \($0)" })
    }

    /// KeePass 1 puts a backslash before quotation marks and backslashes.
    @Test func escapesOfKeePass() throws {
        let header = #""Account","Login Name","Password","Web Site","Comments""#
        let values = [#"pw\\x"#, #"a\"b"#, #"\\\""#, "plain", #"a\b"#, #"c""d"#]
        let rows = values.map { #""a","ada","\#($0)","https://\#($0.count).example","""# }
        let entries = try read(CSVFile(), ([header] + rows).joined(separator: "\r\n"))
        #expect(entries.map(\.login?.text) == [#"pw\x"#, #"a"b"#, #"\""#, "plain", nil, nil])
        #expect(entries[4].reason == "it has unknown escapes")
        let others = header.replacing("Account", with: "Title") + "\r\n" + rows[0]
        #expect(try read(CSVFile(), others).map(\.login?.text) == [#"pw\\x"#])
    }

    @Test func notesWithoutAPasswordAreTheSecret() throws {
        let entries = try read(
            CSVFile(), "name,url,username,password,note\na,https://a.example,u,,only a note\n")
        #expect(entries.map(\.login?.attributes.service) == ["a", nil])
        #expect(entries.map(\.login?.text) == ["only a note", nil])
        #expect(entries.map(\.loss) == [nil, .address])
    }

    @Test func aLongNoteIsCutBetweenCharacters() throws {
        let note = String(repeating: "é", count: 40_000)
        let entries = try read(CSVFile(), "url,password,note\nhttps://a.example,pw,\(note)\n")
        let comment = try #require(entries.first?.login?.attributes.comment)
        #expect(comment.description == String(repeating: "é", count: 32_767))
    }

    @Test(
        arguments: [
            ("", "line 1 has no column"), ("a,b\nc,d\n", "line 1 has no column"),
            ("\nmachine a login b password c", "line 2 has no column"),
            ("url,password\na,\"b\nc", "line 2 has an unclosed quotation mark"),
            ("\"url\npassword", "line 1 has an unclosed quotation mark"),
            // Enpass has the name of each value before it.
            (
                "Git,Username,ada,Password,p1,Website,https://a.example\n",
                "line 1 has an address, and not the names"
            ),
        ])
    func otherFilesAreRefusedWhole(_ text: String, _ start: String) {
        let error = refusal(CSVFile(), text)
        #expect(error?.status == .decode)
        #expect(error?.reason.hasPrefix(start) == true)
    }

    @Test func randomLoginsAreReadAsTheyWereWritten() throws {
        var random = SeededRandom()
        for _ in 0..<60 {
            var columns = ["url", "Username", "PASSWORD", "other", "name"].shuffled(using: &random)
            columns += random.number(below: 2) == 0 ? ["note"] : []
            let end = random.element(of: ["\n", "\r\n"])
            let logins = random.logins(random.number(below: 8)) { $0.characters() }
            var file = Array((columns.joined(separator: ",") + end).utf8)
            for login in logins {
                let address =
                    "https://\(login.host)" + (login.port.map { ":\($0)" } ?? "") + "/"
                for (index, column) in columns.enumerated() {
                    let value =
                        switch column {
                        case "url": Array(address.utf8)
                        case "Username": login.user
                        case "PASSWORD": login.password
                        default: random.characters()
                        }
                    file += index > 0 ? [UInt8(ascii: ",")] : []
                    file += CSVFileTests.field(value, &random)
                }
                file += Array(end.utf8)
            }
            let read = try read(CSVFile(), file).filter { $0.loss != .unread("other") }.map {
                entry in
                RandomLogin(
                    host: entry.login?.attributes.server?.description ?? "",
                    port: entry.login?.attributes.port,
                    user: entry.login?.attributes.account?.bytes ?? [],
                    password: entry.login?.secret ?? [])
            }
            #expect(read == logins)
        }
    }

    /// A field in quotation marks, where it needs them and sometimes where not.
    private static func field(_ value: [UInt8], _ random: inout SeededRandom) -> [UInt8] {
        let special = Array("\",\r\n".utf8)
        guard value.contains(where: special.contains) || random.number(below: 3) == 0 else {
            return value
        }
        let mark = UInt8(ascii: "\"")
        return [mark] + value.flatMap { $0 == mark ? [mark, mark] : [$0] } + [mark]
    }
}

extension ItemAttributes {
    fileprivate var name: String {
        "\(server ?? service ?? "-") \(account ?? "-")"
    }
}
