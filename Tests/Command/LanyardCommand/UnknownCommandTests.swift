import ArgumentParser
import KeychainServices
import Testing

@testable import LanyardCommand

@Suite("an unknown command")
struct UnknownCommandTests {
    @Test(
        "names what was probably meant, or the help",
        arguments: [
            (["lsit"], "lsit", "did you mean 'lanyard list'?"),
            (["lst"], "lst", "did you mean 'lanyard list'?"),
            (["hlep"], "hlep", "did you mean 'lanyard help'?"),
            (["search", "x"], "search", "did you mean 'lanyard find'?"),
            (["keychain", "rm"], "keychain rm", "did you mean 'lanyard keychain delete'?"),
            (["team", "ls"], "team ls", "did you mean 'lanyard team members'?"),
            (["config", "ls"], "config ls", "did you mean 'lanyard config list'?"),
            (["delete", "x"], "delete", "did you mean 'lanyard remove'?"),
            (["frob"], "frob", "lanyard --help"),
            (["keychain", "lsit"], "keychain lsit", "did you mean 'lanyard keychain list'?"),
            (["keychain", "frob"], "keychain frob", "lanyard keychain --help"),
            (["setup", "dokcer"], "setup dokcer", "did you mean 'lanyard setup docker'?"),
            (["import", "Firefox"], "import Firefox", "did you mean 'lanyard import csv'?"),
            (["import", "git"], "import git", "did you mean 'lanyard import git-credentials'?"),
            (["import", "pgpass"], "import pgpass", "did you mean 'lanyard import psql'?"),
            (["import", "pgpas"], "import pgpas", "did you mean 'lanyard import psql'?"),
            (["import", ".pgpass"], "import .pgpass", "did you mean 'lanyard import psql'?"),
            (["import", ".netrc"], "import .netrc", "did you mean 'lanyard import netrc'?"),
            (["import", "netrcc"], "import netrcc", "did you mean 'lanyard import netrc'?"),
            (["import", "firefxo"], "import firefxo", "did you mean 'lanyard import csv'?"),
            (["setup", "tofuu"], "setup tofuu", "did you mean 'lanyard setup terraform'?"),
            // There is no help below a command.
            (["setup", "helm"], "setup helm", "lanyard setup --help"),
            (["keychain", "hlep"], "keychain hlep", "lanyard keychain --help"),
            (["setup", "podmann"], "setup podmann", "did you mean 'lanyard setup podman'?"),
        ])
    func unknown(arguments: [String], command: String, hint: String) throws {
        let error = try #require(UnknownCommand(arguments)).error
        #expect(error.reason == "unknown command 'lanyard \(command)'")
        #expect(error.hint == hint)
    }

    @Test(
        "differs from every command and its other names",
        arguments: [
            [], ["get"], ["ls", "x"], ["--nope"], ["setup"], ["setup", "podman"], ["keychain"],
            ["setup", "--yes"], ["help", "frob"], ["get", "frob"], ["config", "--json"],
        ])
    func known(arguments: [String]) {
        #expect(UnknownCommand(arguments) == nil)
    }

    @Test("other programs' names for our commands")
    func otherNames() {
        let commands = LanyardCommand.configuration.subcommands
        for (other, own) in UnknownCommand.otherNames {
            #expect(commands.contains { $0.configuration.commandName == own }, "\(own)")
            #expect(!commands.contains { $0.isNamed(other) }, "\(other)")
        }
    }

    @Test("programs whose logins an import of another name takes")
    func otherSources() {
        let imports = ImportCommand.configuration.subcommands
        for (other, own) in UnknownCommand.otherSources {
            #expect(imports.contains { $0.configuration.commandName == own }, "\(own)")
            #expect(!imports.contains { $0.isNamed(other) }, "\(other)")
            #expect(ImportedTool.named(other) == nil, "\(other)")
        }
    }

    @Test("other names of tools")
    func otherTools() {
        for (other, own) in UnknownCommand.otherTools {
            #expect(ImportedTool.named(own) != nil, "\(own)")
            #expect(ImportedTool.named(other) == nil, "\(other)")
        }
    }

    @Test(
        "other names for a command mean that one",
        arguments: [
            (["ls"], ["list"]), (["rm", "x"], ["remove", "x"]), (["show", "x"], ["get", "x"]),
            (["add", "x", "--stdin"], ["set", "x", "--stdin"]),
            (["setup", "buildah", "--undo"], ["setup", "docker", "--undo"]),
            (["setup", "skopeo"], ["setup", "docker"]),
        ])
    func aliases(other: [String], own: [String]) throws {
        #expect(
            text(try LanyardCommand.command(given: other))
                == text(try LanyardCommand.command(given: own)))
        #expect(LanyardCommand.commandAlone(given: other) != nil)
    }

    private func text(_ command: any ParsableCommand) -> String {
        var text = ""
        dump(command, to: &text)
        return text
    }

    @Test(
        "exec without -- names it, and the program",
        arguments: [
            (["exec", "psql"], "psql"), (["exec", "--env", "A=b", "psql", "-c", "x"], "psql"),
            (["exec", "--env=A=b", "--account", "A=c", "./run", "--env", "x"], "./run"),
            (["exec", "sh", "-c", "x -- y"], "sh"),
        ])
    func missingTerminator(arguments: [String], program: String) throws {
        let error = try #require(MissingTerminator(arguments)).error
        #expect(error.reason == "missing -- before the program '\(program)'")
        #expect(error.hint == "lanyard exec [options] -- \(program) [arguments]")
    }

    @Test(
        "-- is not suggested if it would not help",
        arguments: [
            ["exec", "--evn", "A=b", "psql"], ["exec", "--env"], ["exec", "--", "psql"], ["exec"],
            ["get", "x", "y", "z"], [], ["exec", "--env", "A=b"],
        ])
    func otherMistakes(arguments: [String]) {
        #expect(MissingTerminator(arguments) == nil)
    }
}
