import Foundation
import LanyardTransfer
import KeychainServices
import Testing

/// What did an import not read? A file of each format has a text of its own in every field that the program's documents
/// name, and in one that is invented. Whatever is in no item has to be reported by the name of its field, unless the test
/// lists it as without a meaning.
@Suite struct UnreadPartsTests {
    /// A file, whose fields have texts such as `xxtitlexx`.
    struct File: CustomTestStringConvertible, Sendable {
        let name: String
        let format: any ImportFormat
        let text: String
        /// What has no meaning outside of the program.
        let meaningless: Set<String>
        /// Losses without the field's name, by the fields.
        var losses: [String: ImportLoss] = [:]

        var testDescription: String { name }
    }

    /// A file of comma-separated values with all of these columns.
    private static func csv(
        _ name: String, _ columns: String, meaningless: Set<String> = [], separator: String = ","
    ) -> File {
        let columns = columns.split(separator: ",").map { String($0) } + ["invented"]
        let values = columns.map { column in
            let word = "xx\(column.lowercased().filter { $0.isLetter || $0.isNumber })xx"
            return switch column.lowercased() {
            case "url", "login_uri", "website", "web site": "https://\(word).example/\(word)"
            case "type": "login"
            case _ where column.lowercased().contains("otp"): "GEZDGNBVGY3TQOJQ"
            case _ where column.lowercased().contains("time"): "1700000000999"
            case "created", "last modified": "2024-02-29T23:59:59Z"
            case "group": "Root/\(word)"
            case "fields": "\(word): \(word)"
            default: word
            }
        }
        return File(
            name: name, format: CSVFile(),
            text: columns.joined(separator: separator) + "\r\n"
                + values.joined(separator: separator) + "\r\n", meaningless: meaningless)
    }

    static let files: [File] =
        [
            csv("Chrome", "name,url,username,password,note"),
            csv(
                "Firefox",
                "url,username,password,httpRealm,formActionOrigin,guid,timeCreated,timeLastUsed,"
                    + "timePasswordChanged", meaningless: ["formactionorigin", "guid"]),
            csv("Safari", "Title,URL,Username,Password,Notes,OTPAuth"),
            // The address that RoboForm fills in differs from that of the page.
            File(
                name: "RoboForm", format: CSVFile(),
                text:
                    "Name,Url,MatchUrl,Login,Pwd,Note,Folder,RfFieldsV2\r\nxxnamexx,https://xxurlxx.example,"
                    + "https://xxmatchurlxx.example,xxloginxx,xxpwdxx,xxnotexx,/xxfolderxx,xxrffieldsv2xx\r\n",
                meaningless: []),
            csv(
                "Bitwarden",
                "folder,favorite,type,name,notes,fields,reprompt,login_uri,login_username,"
                    + "login_password,login_totp", meaningless: ["favorite", "reprompt"]),
            csv(
                "Bitwarden's organizations",
                "collections,type,name,notes,fields,reprompt,login_uri,login_username,"
                    + "login_password,login_totp", meaningless: ["reprompt"]),
            csv(
                "KeePassXC",
                "Group,Title,Username,Password,URL,Notes,TOTP,Icon,Last Modified,Created",
                meaningless: ["icon"]),
            csv("KeePass 1", "Account,Login Name,Password,Web Site,Comments"),
            csv(
                "LastPass", "url,username,password,totp,extra,name,grouping,fav",
                meaningless: ["fav"]),
            csv(
                "1Password", "Title,Url,Username,Password,OTPAuth,Favorite,Archived,Tags,Notes",
                meaningless: ["favorite", "archived"]),
            csv(
                "Dashlane",
                "username,username2,username3,title,password,note,url,category,otpUrl"),
            csv(
                "Proton Pass",
                "type,name,url,email,username,password,note,totp,createTime,modifyTime,vault"),
            csv("other words", "Title,Login,Password,URL,Notes,OTP"),
            csv("more words", "title,user,password,website,comments,otpSecret"),
            csv(
                "NordPass",
                "name,url,username,password,note,cardholdername,cardnumber,cvc,expirydate,zipcode,"
                    + "folder,full_name,phone_number,email,address1,city,country,state,type"),
            csv("semicolons", "Title,Login,Password,URL,Notes", separator: ";"),
            csv("tabs", "Title,Login,Password,URL,Notes", separator: "\t"),
        ] + [
            File(
                name: "1PUX", format: OnePasswordFile(),
                text: """
                    {"invented": "xxinventedxx", "accounts": [{"attrs": {"accountName": "xxaccountnamexx",
                     "name": "xxaccountxx", "avatar": "xxavatarxx", "email": "xxmailxx", "uuid": "xxuuidxx",
                     "domain": "xxdomainxx"}, "vaults": [{"attrs": {"uuid": "xxvaultidxx", "desc": "xxdescxx",
                     "avatar": "xxavatarxx", "name": "xxvaultxx", "type": "xxvaulttypexx"}, "items": [
                     {"uuid": "xxitemidxx", "favIndex": 1, "createdAt": 1704110400, "updatedAt": 1709251199,
                      "state": "active", "categoryUuid": "001", "details": {"detail": "xxdetailxx",
                      "loginFields": [
                       {"value": "xxusernamexx", "id": "xxidxx", "name": "u", "fieldType": "T", "designation": "username"},
                       {"value": "xxpasswordxx", "id": "xxidxx", "name": "p", "fieldType": "P", "designation": "password"},
                       {"value": "xxtextxx", "id": "", "name": "t", "fieldType": "T"},
                       {"value": "xxemailxx", "id": "", "name": "e", "fieldType": "E"},
                       {"value": "xxnumberxx", "id": "", "name": "n", "fieldType": "N"},
                       {"value": "xxphonexx", "id": "", "name": "tel", "fieldType": "TEL"},
                       {"value": "xxlinkxx", "id": "", "name": "u", "fieldType": "U"},
                       {"value": "xxareaxx", "id": "", "name": "a", "fieldType": "A"},
                       {"value": "xxcheckxx", "id": "", "name": "c", "fieldType": "C"},
                       {"value": "xxbuttonxx", "id": "", "name": "b", "fieldType": "B"},
                       {"value": "xxloginfieldsxx", "id": "", "name": "x", "fieldType": "Z"}],
                      "notesPlain": "xxnotexx", "sections": [{"title": "xxsectionxx", "name": "xxidxx", "fields": [
                       {"title": "xxfieldxx", "id": "xxidxx", "value": {"concealed": "xxconcealedxx"},
                        "indexAtSource": 0, "guarded": false, "multiline": true, "dontGenerate": false,
                        "inputTraits": {"keyboard": "xxkeyboardxx"}, "placeholder": "xxplaceholderxx"},
                       {"title": "s", "id": "", "value": {"string": "xxstringxx"}},
                       {"title": "o", "id": "", "value": {"ssoLogin": {"provider": "xxproviderxx", "item": {"x": "xxitemxx"}}}},
                       {"title": "k", "id": "", "value": {"sshKey": {"privateKey": "xxprivatexx", "metadata": {"a": "xxmetadataxx"}}}},
                       {"title": "b", "id": "", "value": {"invented3": [{"x": "xxinvented3xx"}]}},
                       {"title": "m", "id": "", "value": {"menu": "xxmenuxx"}},
                       {"title": "r", "id": "", "value": {"reference": "xxreferencexx"}},
                       {"title": "c", "id": "", "value": {"creditCardNumber": "xxcardxx"}},
                       {"title": "a", "id": "", "value": {"address": {"street": "xxstreetxx", "city": "xxcityxx"}}},
                       {"title": "e", "id": "", "value": {"email": {"email_address": "xxaddressxx"}}}]}],
                      "passwordHistory": [{"value": "xxearlierxx", "time": 1}],
                      "documentAttributes": {"fileName": "xxfilexx", "documentId": "xxfilexx", "decryptedSize": 1}},
                     "overview": {"subtitle": "xxsubtitlexx", "icons": {"a": "xxiconxx"}, "title": "xxtitlexx",
                      "url": "https://xxurlxx.example", "urls": [{"label": "xxlabelxx", "url":
                      "https://xxurlxx.example"}, {"url": "xxno addressxx"}], "tags": ["xxtagxx"], "ps": 88, "pbe": 1.5,
                      "pgrng": true, "watchtowerExclusions": {"a": "xxwatchxx"}}}]}]}]}
                    """,
                meaningless: [
                    "accountname", "account", "avatar", "mail", "uuid", "domain", "vaultid",
                    "metadata",
                    "vaulttype", "itemid", "id", "check", "button", "keyboard", "placeholder",
                    "subtitle", "icon", "label", "watch",
                ],
                losses: [
                    "section": .sections, "earlier": .earlierPasswords, "file": .attachments,
                ]),
            File(
                name: "Bitwarden's JSON", format: BitwardenFile(),
                text: """
                    {"encrypted": false, "invented": "xxinventedxx",
                     "folders": [{"id": "f", "name": "xxfolderxx"}],
                     "collections": [{"id": "c", "organizationId": "xxidxx", "name": "xxcollectionxx",
                      "externalId": "xxidxx", "note": "xxnotexx"}],
                     "items": [{"passwordHistory": [{"lastUsedDate": "x", "password": "xxearlierxx"}],
                      "revisionDate": "2024-02-29T23:59:59Z", "creationDate": "2024-01-01T12:00:00Z",
                      "deletedDate": null, "id": "xxidxx", "organizationId": "xxidxx", "folderId": "f", "type": 1,
                      "reprompt": 1, "name": "xxnamexx", "notes": "xxnotesxx", "favorite": true, "member": ["xxmemberxx"],
                      "fields": [{"name": "xxfieldxx", "value": "xxvaluexx", "type": 0, "linkedId": null},
                       {"name": "l", "value": null, "type": 3, "linkedId": 100}],
                      "login": {"fido2Credentials": [{"credentialId": "xxpasskeyxx"}], "uris": [{"match": 1, "uri":
                       "https://xxurixx.example", "domain": "xxdomainxx"}], "username": "xxusernamexx",
                       "password": "xxpasswordxx", "totp": "GEZDGNBVGY3TQOJQ", "passwordRevisionDate": "xxrevisionxx",
                       "pin": "xxpinxx"},
                      "card": {"number": "xxcardxx"}, "attachments": [{"fileName": "xxattachmentsxx"}],
                      "collectionIds": ["c"]}]}
                    """,
                meaningless: ["id", "revision"],
                losses: ["earlier": .earlierPasswords, "passkey": .passkey]),
            File(
                name: "KeePass's XML", format: KeePassFile(),
                text: """
                    <KeePassFile><Meta><Generator>KeePassXC</Generator><DatabaseName>xxdatabasexx</DatabaseName>
                    <DatabaseDescription>xxdatabasedescriptionxx</DatabaseDescription>
                    <DefaultUserName>xxdefaultusernamexx</DefaultUserName><HistoryMaxItems>10</HistoryMaxItems>
                    <MemoryProtection><ProtectTitle>False</ProtectTitle></MemoryProtection><Invented2>xxinvented2xx</Invented2>
                    <CustomIcons><Icon><UUID>i</UUID><Data>xxiconxx</Data></Icon></CustomIcons>
                    <Binaries><Binary ID="0" Compressed="True">xxbinaryxx</Binary></Binaries></Meta>
                    <Root><DeletedObjects><DeletedObject><UUID>d</UUID><DeletionTime>x</DeletionTime></DeletedObject>
                    </DeletedObjects><Group><Name>Root</Name><Group><UUID>g</UUID><Name>xxgroupxx</Name><Notes>xxnotesxx</Notes>
                    <IconID>1</IconID><Times><Expires>False</Expires></Times><IsExpanded>True</IsExpanded>
                    <DefaultAutoTypeSequence>xxdefaultautotypesequencexx</DefaultAutoTypeSequence>
                    <Entry><UUID>xxuuidxx</UUID><IconID>2</IconID><CustomIconUUID>xxuuidxx</CustomIconUUID>
                    <ForegroundColor>xxcolorxx</ForegroundColor><BackgroundColor>xxcolorxx</BackgroundColor>
                    <OverrideURL>xxoverrideurlxx</OverrideURL><QualityCheck>True</QualityCheck><Tags>xxtagxx</Tags>
                    <Invented><Deep>xxdeepxx</Deep></Invented>
                    <Times><CreationTime>2024-01-01T12:00:00Z</CreationTime><LastAccessTime>xxaccessxx</LastAccessTime>
                    <LastModificationTime>2024-02-29T23:59:59Z</LastModificationTime><UsageCount>77</UsageCount>
                    <ExpiryTime>xxexpirytimexx</ExpiryTime><Expires>True</Expires></Times>
                    <String><Key>Title</Key><Value>xxtitlexx</Value></String>
                    <String><Key>UserName</Key><Value>xxusernamexx</Value></String>
                    <String><Key>Password</Key><Value>xxpasswordxx</Value></String>
                    <String><Key>URL</Key><Value>https://xxurlxx.example</Value></String>
                    <String><Key>KP2A_URL</Key><Value>https://xxmorexx.example</Value></String>
                    <String><Key>KP2A_URL_1</Key><Value>xxno addressxx</Value></String>
                    <String><Key>Notes</Key><Value>xxnotexx</Value></String>
                    <String><Key>xxfieldxx</Key><Value>xxvaluexx</Value></String>
                    <String><Key>otp</Key><Value>otpauth://totp/x?secret=GEZDGNBVGY3TQOJQ</Value></String>
                    <Binary><Key>xxbinaryxx</Key><Value Ref="0"/></Binary>
                    <AutoType><Enabled>True</Enabled><DefaultSequence>{S:a}xxdefaultsequencexx{ENTER}</DefaultSequence>
                    <Association><Window>xxwindowxx</Window><KeystrokeSequence>{USERNAME}{TAB}xxkeystrokesequencexx
                    </KeystrokeSequence></Association></AutoType>
                    <CustomData><Item><Key>KeePassXC-Browser Settings</Key><Value>xxbrowserxx</Value></Item>
                    <Item><Key>plug-in</Key><Value>xxcustomdataxx</Value></Item></CustomData>
                    <History><Entry><String><Key>Password</Key><Value>xxearlierxx</Value></String></Entry></History>
                    </Entry></Group></Group></Root></KeePassFile>
                    """,
                meaningless: [
                    "database", "uuid", "color", "access", "browser", "icon",
                ], losses: ["earlier": .earlierPasswords, "binary": .attachments]),
            File(
                name: "a Mac's dump", format: KeychainDumpFile(),
                text: """
                    keychain: "/k"
                    version: 512
                    class: "inet"
                    attributes:
                        0x00000007 <blob>="xxlabelxx"
                        0x00000008 <blob>=<NULL>
                        0x80000001 <blob>="xx0x80000001xx"
                    0x0000000D <uint32>=0x00000000
                    "acct"<blob>="xxacctxx"
                    "svce"<blob>="xxsvcexx"
                    "port"<uint32>="xxportxx"
                    "longer name"<blob>="xxlonger namexx"
                    xxline 13xx
                        "icmt"<blob>="xxicmtxx"
                        "desc"<blob>="xxdescxx"
                        "cusi"<sint32>=0x00000001
                        "prot"<blob>="xxprotxx"
                        "zzzz"<blob>="xxzzzzxx"
                        "sdmn"<blob>="xxsdmnxx"
                        "srvr"<blob>="xxsrvrxx"
                        "path"<blob>="xxpathxx"
                        "ptcl"<uint32>="htps"
                    data:
                    "xxpasswordxx"
                    access: 1 entries
                        entry 0:
                            description: xxdescriptionxx

                    """, meaningless: ["prot", "description"]),
            File(
                name: "Terraform's JSON", format: TerraformCredentialsFile(),
                text: """
                    {"credentials": {"a.example": {"token": "xxtokenxx", "note": "xxnotexx"}},
                     "invented": {"x": "xxinventedxx"}}
                    """, meaningless: []),
            File(
                name: "docker's registry", format: DockerConfigFile(),
                text: """
                    {"auths": {"a.example": {"auth": "YTo=", "identitytoken": "xxtokenxx",
                     "email": "xxemailxx", "registrytoken": "xxregistrytokenxx", "username": "xxusernamexx",
                     "password": "xxpasswordxx", "invented": "xxinventedxx", "serveraddress": "xxserverxx"}}}
                    """, meaningless: ["server"]),
        ]

    @Test(arguments: files) func everyFieldIsImportedOrReported(_ file: File) throws {
        let entries = try read(file.format, file.text)
        #expect(entries.contains { $0.login != nil })
        var imported = ""
        for login in entries.compactMap(\.login) {
            imported += "\(login.attributes) \(login.text) "
            imported += Attribute.table.map { "\(login.attributes[$0.attribute], default: "")" }
                .joined(separator: " ")
        }
        let losses = entries.compactMap(\.loss)
        let reported = Set(
            losses.compactMap { loss in
                if case .unread(let name) = loss {
                    name.lowercased().filter { $0.isLetter || $0.isNumber }
                } else {
                    nil
                }
            })
        var silent: Set<String> = []
        var unread = reported
        for match in file.text.lowercased().matches(of: /xx([a-z0-9 ]+?)xx/) {
            let field = String(match.1).filter { $0 != " " }
            unread.remove(field)
            if imported.lowercased().contains(match.0) || reported.contains(field)
                || field == "noaddress" && losses.contains(.address)
                || file.losses[field].map(losses.contains) == true
            {
                continue
            }
            silent.insert(field)
        }
        #expect(silent == file.meaningless)
        #expect(unread.isEmpty)
    }
}
