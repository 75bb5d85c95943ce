import Foundation
import Testing
@testable import EndToEndRig

/// pinentry-lanyard and real gpg, with an agent and a key of its own.
@Suite(.needs(.gnupg), .timeLimit(.minutes(10)))
struct GnuPGTests {
    let home: ScratchHome
    private static let passphrase = "50% hunter2"

    init() throws {
        home = try ScratchHome()
    }

    /// Runs a script with the commands of GnuPG, in which `$1` is pinentry-lanyard, with a new key of Ada's. The agent
    /// ends with it.
    private func gpg(_ script: String) async throws -> Outcome {
        let prelude = """
            export GNUPGHOME=$HOME/.gnupg PATH=$HOME/bin:$PATH GPG_TTY=/dev/tty7 TERM=xterm
            [ -e "$HOME/bin/pinentry" ] || unset GPG_TTY
            umask 077
            mkdir -p "$GNUPGHOME"
            trap 'gpgconf --kill gpg-agent' EXIT
            # USER PASSPHRASE
            make() {
                gpg --batch --quiet --pinentry-mode loopback --passphrase "$2" \
                    --quick-generate-key "$1" rsa2048 sign,cert never
            }
            # USER SECRET
            store() {
                for grip in $(gpg --batch --with-colons --with-keygrip -K "$1" |
                    sed -n 's/^grp:*\\([0-9A-F]*\\):$/\\1/p'); do
                    printf %s "$2" | lanyard set --stdin --for gpg "$grip"
                done
            }
            # USER
            sign() {
                echo notes | gpg --batch --quiet --local-user "$1" --clearsign | gpg --quiet --verify
            }
            if [ ! -e "$GNUPGHOME/gpg-agent.conf" ]; then
                make ada@example.com '\(Self.passphrase)'
                gpgconf --kill gpg-agent
                printf 'pinentry-program %s\\nmax-cache-ttl 0\\n' "$1" >"$GNUPGHOME/gpg-agent.conf"
            fi
            """
        let helper = "\(try Programs.folder())/pinentry-lanyard"
        return try await home.command(
            "setsid", ["--wait", "sh", "-euc", "\(prelude)\n\(script)", "sh", helper]
        ).run()
    }

    private static let stores = "store ada@example.com '\(passphrase)'"
    private static let signs = "sign ada@example.com"

    @Test func signs() async throws {
        let outcome = try await gpg("\(Self.stores)\n\(Self.signs)")
        #expect(
            outcome.status == 0 && outcome.errorText.contains("Good signature"), "\(outcome)")
        #expect(try home.file(with: "hunter2") == nil)
    }

    @Test func signsWithTwoKeys() async throws {
        let outcome = try await gpg(
            """
            make bob@example.com bilby
            \(Self.stores)
            store bob@example.com bilby
            \(Self.signs)
            sign bob@example.com
            """)
        #expect(outcome.status == 0, "\(outcome)")
        for user in ["ada", "bob"] {
            let isSigned = outcome.errorText.contains("Good signature from \"\(user)@example.com\"")
            #expect(isSigned, "\(outcome)")
        }
    }

    /// gpg-agent tries three times, and gets the wrong passphrase once.
    @Test func aWrongPassphraseIsGivenOnce() async throws {
        let outcome = try await gpg("store ada@example.com bilby\n\(Self.signs)")
        #expect(outcome.status != 0, "\(outcome)")
        #expect(outcome.errorText.contains("signing failed"), "\(outcome)")
        #expect(!outcome.errorText.contains("Good signature"), "\(outcome)")
    }

    @Test func anUnknownKeyWithoutATerminal() async throws {
        let outcome = try await gpg(Self.signs)
        #expect(outcome.status != 0, "\(outcome)")
        #expect(outcome.errorText.contains("signing failed: "), "\(outcome)")
    }

    @Test func whileLocked() async throws {
        _ = try await gpg(Self.stores)
        try await home.setPassphrase()
        let outcome = try await gpg(Self.signs)
        #expect(outcome.status != 0, "\(outcome)")
        #expect(outcome.errorText.contains("signing failed: "), "\(outcome)")
    }

    /// The user's pinentry gets the whole dialog: here a script, which writes each line to a file.
    @Test func theUsersPinentryAsks() async throws {
        try FileManager.default.createDirectory(
            atPath: "\(home.path)/home/bin", withIntermediateDirectories: true)
        _ = try home.write(
            """
            #!/bin/sh
            echo OK
            while read -r line; do
                echo "$line" >>"$HOME/dialog"
                [ "$line" != GETPIN ] || echo 'D 50%25 hunter2'
                echo OK
                [ "$line" != BYE ] || exit 0
            done

            """, to: "home/bin/pinentry", mode: 0o700)
        let outcome = try await gpg("store ada@example.com wrong\n\(Self.signs)")
        #expect(
            outcome.status == 0 && outcome.errorText.contains("Good signature"), "\(outcome)")
        let dialog = String(
            decoding: try home.read("\(home.path)/home/dialog"), as: UTF8.self)
        for line in ["OPTION ttyname=/dev/tty7\n", "SETERROR Bad Passphrase", "ada@example.com"] {
            #expect(dialog.contains(line), "\(dialog)")
        }
    }
}
