import PlainTextFormats
import Testing

@testable import ToolCatalog

/// The rules that every profile of the table keeps.
@Suite("the table of profiles")
struct ToolProfileTableTests {
    private static let letters = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZ_")
    private static let digits = Set("0123456789")

    @Test func itHasMoreToolsThanItsPeers() {
        #expect(ToolProfile.all.count >= 95)
        #expect(ToolProfile.all.flatMap(\.programs).count >= 110)
    }

    @Test func namesAreUniqueAndSorted() {
        let names = ToolProfile.all.map(\.name)
        #expect(Set(names).count == names.count)
        #expect(names == names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
    }

    @Test func eachSubjectIsSorted() {
        let subjects = [
            ToolProfile.forges, ToolProfile.clouds, ToolProfile.hosting, ToolProfile.databases,
            ToolProfile.dataPlatforms, ToolProfile.models, ToolProfile.packages,
            ToolProfile.observability, ToolProfile.services,
        ]
        for subject in subjects {
            let names = subject.map(\.name)
            #expect(names == names.sorted())
        }
        #expect(subjects.joined().count == ToolProfile.all.count)
    }

    @Test func aProgramHasOneProfile() {
        let programs = ToolProfile.all.flatMap(\.programs)
        #expect(Set(programs).count == programs.count)
        for profile in ToolProfile.all {
            for program in profile.programs {
                #expect(ToolProfile(program: program) == profile)
                #expect(!program.isEmpty && !program.contains("/") && !program.contains(" "))
            }
            // A profile's name never means another profile's program.
            #expect(ToolProfile(program: profile.name) == profile)
        }
    }

    /// A name is a service, the start of parts' services, and a word of commands.
    @Test(arguments: ToolProfile.all.map(\.name))
    func aNameIsAPlainWord(name: String) {
        #expect(ProfileValue.isPart(name))
        #expect(!name.hasPrefix("-"))
    }

    @Test(arguments: ToolProfile.all.map(\.name))
    func aProfileGivesItsSecretAway(name: String) throws {
        let profile = try #require(ToolProfile(program: name))
        #expect(profile.values.contains(.secret))
        #expect(!profile.variables.contains { $0.value == .secret && $0.isOptional })
    }

    @Test(arguments: ToolProfile.all.map(\.name))
    func variablesAreNamesAndGivenOnce(name: String) throws {
        let profile = try #require(ToolProfile(program: name))
        var names = profile.variables.map(\.name)
        for case .variable(let variable) in profile.files.map(\.place) {
            names.append(variable)
        }
        #expect(Set(names).count == names.count)
        for variable in names {
            #expect(variable.first.map(Self.letters.contains) == true)
            #expect(variable.allSatisfy { Self.letters.union(Self.digits).contains($0) })
        }
    }

    @Test(arguments: ToolProfile.all.map(\.name))
    func referencesResolve(name: String) throws {
        let profile = try #require(ToolProfile(program: name))
        for part in profile.values.compactMap(\.part) {
            #expect(ProfileValue(name: part) == .part(part))
        }
        for file in profile.files {
            #expect(file.content.contains(.secret))
            if case .argument(let argument) = file.place {
                #expect(argument.hasPrefix("-") && argument.split(separator: "{}").count == 1)
            }
            // Text next to a value needs a format that keeps them apart.
            #expect(file.content == [.secret] || file.quoting != .none)
        }
        for file in profile.plainText {
            for key in file.keys {
                let isMeant =
                    switch key.holds {
                    case .secret, .account: true
                    case .scope: profile.scope != nil
                    case .part(ToolProfile.endPart): true
                    case .part: profile.values.contains(key.holds)
                    case .text: false
                    }
                #expect(isMeant, "\(file.path)")
            }
        }
    }

    @Test(arguments: ToolProfile.all.map(\.name))
    func plainTextFilesAreBelowHome(name: String) throws {
        let profile = try #require(ToolProfile(program: name))
        for file in profile.plainText {
            #expect(!file.path.hasPrefix("/") && !file.path.hasPrefix("~"))
            #expect(!file.path.split(separator: "/").contains(".."))
            #expect(file.keys.contains { $0.holds == .secret })
            for key in file.keys {
                switch file.format {
                case .singleLine: #expect(key.path.isEmpty && file.keys.count == 1)
                case .netrc: #expect(key.path.count == 2)
                case .pgpass: #expect(key.path.count == 1)
                case .ini: #expect((1...2).contains(key.path.count))
                case .properties: #expect(key.path.count == 1)
                case .json, .yaml, .toml, .hcl, .xml: #expect(!key.path.isEmpty)
                }
            }
            #expect(Set(file.keys.map(\.path)).count == file.keys.count)
        }
        #expect(Set(profile.plainText.map(\.path)).count == profile.plainText.count)
    }

    @Test(arguments: ToolProfile.all.map(\.name))
    func everyFactHasASource(name: String) throws {
        let profile = try #require(ToolProfile(program: name))
        #expect(!profile.sources.isEmpty)
        // Users choose these secrets themselves.
        let isChosen = ["ansible-vault", "borg", "rclone", "restic"].contains(profile.name)
        #expect(profile.signIn?.isEmpty == (isChosen ? nil : false))
        for source in profile.sources {
            let isAddress = source.hasPrefix("https://")
            // OWNER/REPOSITORY/PATH
            #expect(isAddress || source.split(separator: "/").count >= 3, "\(source)")
        }
    }
}

/// What the types say of profiles.
@Suite("profiles")
struct ToolProfileTests {
    @Test func valuesHaveNames() {
        #expect(ProfileValue(name: "secret") == .secret)
        #expect(ProfileValue(name: "account") == .account)
        #expect(ProfileValue(name: "app-key") == .part("app-key"))
        for name in ["", "a b", "a/b", "a#b", "\u{e9}"] {
            #expect(ProfileValue(name: name) == nil)
        }
    }

    @Test func aPartHasAnItemOfItsOwn() throws {
        let datadog = try #require(ToolProfile(program: "datadog"))
        #expect(datadog.service(of: .secret) == "datadog")
        #expect(datadog.service(of: .account) == "datadog")
        #expect(datadog.service(of: .part("app-key")) == "datadog/app-key")
        #expect(datadog.service(of: .text("x")) == nil)
        #expect(datadog.requiredParts == [])
        let twilio = try #require(ToolProfile(program: "twilio"))
        #expect(twilio.requiredParts == ["account-sid"])
        let akamai = try #require(ToolProfile(program: "akamai"))
        #expect(akamai.requiredParts == ["client-token", "access-token", "host"])
    }

    @Test func stepsMatchNames() {
        let any: PlainTextKey.Step = "*"
        let ending: PlainTextKey.Step = "*:_authToken"
        let named: PlainTextKey.Step = "token"
        #expect(any == .any && ending == .ending(":_authToken") && named == .named("token"))
        #expect(any.matches("") && any.matches("token"))
        #expect(ending.matches("//registry.npmjs.org/:_authToken") && !ending.matches("token"))
        #expect(named.matches("token") && !named.matches("tokens"))
    }
}
