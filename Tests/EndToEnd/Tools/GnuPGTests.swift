import Foundation
import Testing

/// pinentry-lanyard and real gpg, with an agent and a key of its own.
@Suite(.needs(.gnupg), .timeLimit(.minutes(10)))
struct GnuPGTests {
    let home: ScratchHome
    private static let passphrase = "50% hunter2"

    init() throws {
        home = try ScratchHome()
    }

    /// Runs a script with the commands of GnuPG, in which `$1` is pinentry-lanyard and `$GRIPS` has the keygrips of
    /// a new key. The agent ends with it.
    private func gpg(_ script: String) async throws -> Outcome {
        let prelude = """
            export GNUPGHOME=$HOME/.gnupg PATH=$HOME/bin:$PATH GPG_TTY=/dev/tty7 TERM=xterm
            [ -e "$HOME/bin/pinentry" ] || unset GPG_TTY
            umask 077
            mkdir -p "$GNUPGHOME"
            trap 'gpgconf --kill gpg-agent' EXIT
            if [ ! -e "$GNUPGHOME/gpg-agent.conf" ]; then
                gpg --batch --quiet --pinentry-mode loopback --passphrase '\(Self.passphrase)' \
                    --quick-generate-key ada@example.com rsa2048 sign,cert never
                gpgconf --kill gpg-agent
                printf 'pinentry-program %s\\nmax-cache-ttl 0\\n' "$1" >"$GNUPGHOME/gpg-agent.conf"
            fi
            GRIPS=$(gpg --batch --with-colons --with-keygrip -K | sed -n 's/^grp:*\\([0-9A-F]*\\):$/\\1/p')
            """
        let helper = "\(try Programs.folder())/pinentry-lanyard"
        return try await home.command(
            "setsid", ["--wait", "sh", "-euc", "\(prelude)\n\(script)", "sh", helper]
        ).run()
    }

    private static let stores = """
        for grip in $GRIPS; do
            printf %s "$SECRET" | lanyard set --stdin --for gpg "$grip"
        done
        """
    private static let signs = "echo notes | gpg --batch --quiet --clearsign | gpg --quiet --verify"

    @Test func signs() async throws {
        let outcome = try await gpg(
            "SECRET='\(Self.passphrase)'\n\(Self.stores)\n\(Self.signs)")
        #expect(
            outcome.status == 0 && outcome.errorText.contains("Good signature"), "\(outcome)")
        #expect(try home.file(with: "hunter2") == nil)
    }

    /// gpg-agent tries three times, and gets the wrong passphrase once.
    @Test func aWrongPassphraseIsGivenOnce() async throws {
        let outcome = try await gpg("SECRET=bilby\n\(Self.stores)\n\(Self.signs)")
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
        _ = try await gpg("SECRET='\(Self.passphrase)'\n\(Self.stores)")
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
        let outcome = try await gpg(
            """
            SECRET=wrong
            \(Self.stores)
            \(Self.signs)
            """)
        #expect(
            outcome.status == 0 && outcome.errorText.contains("Good signature"), "\(outcome)")
        let dialog = String(
            decoding: try home.read("\(home.path)/home/dialog"), as: UTF8.self)
        for line in ["OPTION ttyname=/dev/tty7\n", "SETERROR Bad Passphrase", "ada@example.com"] {
            #expect(dialog.contains(line), "\(dialog)")
        }
    }
}
