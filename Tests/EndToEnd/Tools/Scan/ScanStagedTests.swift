import Foundation
import Testing
@testable import EndToEndRig

/// `lanyard scan --staged` in repositories of the real git.
@Suite(.timeLimit(.minutes(10)))
struct ScanStagedTests {
    let home: ScratchHome
    private let repository: String

    init() async throws {
        home = try ScratchHome()
        repository = "\(home.path)/repository"
        try await home.configureGit()
        try await home.set("backup", secret: "Tr0ub4dor&3")
        try await home.shell(
            """
            git init -q "$1"
            cd "$1"
            printf '%s\\n' '#!/bin/sh' 'exec lanyard scan --staged' >.git/hooks/pre-commit
            chmod +x .git/hooks/pre-commit
            """, repository)
    }

    /// Runs a script in the repository.
    private func run(_ script: String, variables: [String: String?] = [:]) async throws -> Outcome {
        let outcome = try await home.command(
            "sh", ["-euc", "cd \"$1\"\n\(script)", "sh", repository], variables: variables
        ).run()
        #expect(!(outcome.outputText + outcome.errorText).contains("Tr0ub4dor"))
        return outcome
    }

    /// Also the first commit, for which there is no other one to compare with.
    @Test func theHookRefusesACommitWithASecret() async throws {
        let refused = try await run(
            """
            printf 'one\\ntwo Tr0ub4dor&3\\n' >'with space'
            git add .
            git commit -qm first
            """)
        #expect(refused.status == 1, "\(refused)")
        #expect(
            (refused.outputText + refused.errorText).contains(
                "with space:2: copy of 'backup', group login\n"), "\(refused)")
        let clean = try await run(
            "echo nothing >'with space'; git add .; git commit -qm first; git rev-parse HEAD")
        #expect(clean.status == 0, "\(clean)")
    }

    /// Not what is in the folder, nor what earlier commits have.
    @Test func onlyStagedFilesAreSearched() async throws {
        let outcome = try await run(
            """
            echo 'Tr0ub4dor&3' >old
            echo x >deleted
            git add .
            git commit --no-verify -qm first
            echo 'Tr0ub4dor&3' >unstaged
            echo y >new
            git rm -q deleted
            git add new
            lanyard scan --staged
            """)
        #expect(outcome.status == 0, "\(outcome)")
        #expect(
            outcome.errorText == "lanyard: 0 findings in 1 file, searched for 1 secret\n",
            "\(outcome)")
        let nothing = try await run("git reset -q; lanyard scan --staged")
        #expect(nothing.status == 0, "\(nothing)")
    }

    /// git passes the hook another index there.
    @Test func partsOfTheFilesCanBeCommitted() async throws {
        let outcome = try await run(
            """
            echo 'Tr0ub4dor&3' >secret
            echo x >other
            git add .
            git commit -qm other other
            git commit -qm all
            """)
        #expect(outcome.status == 1, "\(outcome)")
        #expect(
            (outcome.outputText + outcome.errorText).contains("secret:1: copy of 'backup'"),
            "\(outcome)")
        let log = try await run("git log --format=%s")
        #expect(log.outputText == "other\n", "\(log)")
    }

    /// `git add -p` stages one of two changes.
    @Test func onlyTheStagedPartOfAFileIsSearched() async throws {
        let script = """
            seq 20 >file
            git add file
            git commit --no-verify -qm first
            sed -i -e '1s/^/%s /' -e '20s/$/ %s/' file
            printf 'y\nn\n' | git add -p >/dev/null
            lanyard scan --staged
            """
        let outcome = try await run(
            script.replacing("%s", with: "nothing", maxReplacements: 1)
                .replacing("%s", with: "Tr0ub4dor\\&3"))
        #expect(outcome.status == 0, "\(outcome)")
        let refused = try await run(
            "git reset -q; printf 'n\ny\n' | git add -p >/dev/null; lanyard scan --staged")
        #expect(refused.status == 1, "\(refused)")
        #expect(
            refused.outputText == "file:20: copy of 'backup', group login\n", "\(refused)")
    }

    @Test func renamedFilesAndLinks() async throws {
        let outcome = try await run(
            """
            seq 100 >old
            ln -s old link
            git add .
            git commit --no-verify -qm first
            git mv old new
            echo 'Tr0ub4dor&3' >>new
            ln -sf 'Tr0ub4dor&3' link
            git add .
            lanyard scan --staged
            """)
        #expect(outcome.status == 1, "\(outcome)")
        #expect(
            outcome.outputText == """
                link:1: copy of 'backup', group login
                new:101: copy of 'backup', group login

                """, "\(outcome)")
    }

    /// Whatever the user's `git diff` shows: all that the commit would have.
    @Test func worktreesModulesAndSettings() async throws {
        let worktree = try await run(
            """
            git commit --allow-empty --no-verify -qm first
            git worktree add -q ../tree
            cd ../tree
            mkdir folder
            echo 'Tr0ub4dor&3' >secret
            git add .
            cd folder
            git -c diff.relative=true -c diff.renames=copies -c diff.noprefix=true \
                -c alias.scan='!cd "$GIT_PREFIX" && lanyard scan --staged' scan
            """)
        #expect(worktree.status == 1, "\(worktree)")
        #expect(worktree.outputText.hasPrefix("secret:1: copy of "), "\(worktree)")
        let module = try await run(
            """
            git init -q ../module
            git -C ../module commit --allow-empty -qm first
            git -c protocol.file.allow=always submodule --quiet add ../module sub
            git commit -qm module
            cd sub
            echo 'Tr0ub4dor&3' >secret
            git add .
            cd ..
            git add .
            lanyard scan --staged
            cd sub
            lanyard scan --staged
            """)
        #expect(module.status == 1, "\(module)")
        #expect(module.outputText == "secret:1: copy of 'backup', group login\n", "\(module)")
    }

    @Test func jsonNamesThePathsInTheRepository() async throws {
        let outcome = try await run(
            """
            mkdir -p a/b
            printf 'Tr0ub4dor&3' >a/b/c
            : >a/empty
            printf '\\000\\001Tr0ub4dor&3\\000' >a/program
            git add .
            cd a
            lanyard scan --staged --json
            """)
        #expect(outcome.status == 1, "\(outcome)")
        let findings = try JSONText(outcome.output).members["findings"]?.elements ?? []
        #expect(
            findings.map { $0.members["file"] } == ["a/b/c", "a/program"], "\(outcome)")
    }

    @Test func outsideOfARepositoryItIsAnError() async throws {
        let outcome = try await home.command(
            "sh", ["-c", "cd \"$1\" && lanyard scan --staged", "sh", home.path]
        ).run()
        #expect(outcome.status == 64, "\(outcome)")
        #expect(
            outcome.errorText.hasPrefix("lanyard: error: git can't show what is staged: fatal:"),
            "\(outcome)")
    }
}
