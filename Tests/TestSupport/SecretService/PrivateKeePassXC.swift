internal import Foundation

/// A KeePassXC that is the Secret Service of a session bus of its own, on a display of its own, in
/// folders of its own.
///
/// A shell supervises them as it does those of ``PrivateSecretService``.
package final class PrivateKeePassXC: @unchecked Sendable {
    /// What becomes of the database when KeePassXC starts.
    package enum Database: String {
        case unlocked
        case locked
    }

    private let supervisor: SupervisingShell

    /// The folder that all is in.
    package let folder: String

    package var address: String { "unix:path=\(folder)/bus" }

    /// Starts KeePassXC with a new database, whose entries are all exposed.
    ///
    /// - Parameter hasRecycleBin: Whether what is deleted is kept there, as a new database has it. It
    ///   slows KeePassXC down more and more.
    package init(_ database: Database = .unlocked, hasRecycleBin: Bool = true) throws {
        folder = "/tmp/lanyard-kp-\(UUID().uuidString)"
        supervisor = try SupervisingShell(
            PrivateKeePassXC.script, folder, hasRecycleBin ? "True" : "False")
        guard supervisor.answer() == "ready" else {
            throw RigFailure(what: "the bus, the display or the database is missing")
        }
        try start(database)
    }

    /// Starts KeePassXC on the database that is there, and waits until it can be reached.
    package func start(_ database: Database) throws {
        guard supervisor.ask(database.rawValue) == "started" else {
            throw RigFailure(what: "KeePassXC did not start")
        }
    }

    /// Kills KeePassXC and waits until it is gone.
    package func kill() {
        _ = supervisor.ask("kill")
    }

    private static let script = """
        umask 077
        D=$1
        mkdir "$D" "$D/home" "$D/run" "$D/data" "$D/config" "$D/cache" || exit 1
        export HOME="$D/home" XDG_RUNTIME_DIR="$D/run" XDG_DATA_HOME="$D/data" TMPDIR="$D/run"
        export XDG_CONFIG_HOME="$D/config" XDG_CACHE_HOME="$D/cache" LC_ALL=C.UTF-8
        export DBUS_SESSION_BUS_ADDRESS="unix:path=$D/bus" QT_QPA_PLATFORM=xcb
        bus= display= keepassxc=
        finish() {
            # The display itself removes its socket and its lock.
            [ -z "$keepassxc" ] || kill -KILL $keepassxc 2>/dev/null
            [ -z "$display" ] || kill -TERM $display
            [ -z "$bus" ] || kill -KILL $bus
            wait
            rm -rf "$D"
            exit
        }
        # No service folders: nothing but KeePassXC can be the Secret Service here.
        cat >"$D/bus.conf" <<END
        <busconfig><type>session</type><listen>unix:path=$D/bus</listen><auth>EXTERNAL</auth>
        <policy context="default"><allow send_destination="*" eavesdrop="true"/>
        <allow eavesdrop="true"/><allow own="*"/></policy></busconfig>
        END
        # The group with this UUID is the root.
        cat >"$D/database.xml" <<END
        <?xml version="1.0" encoding="utf-8"?>
        <KeePassFile><Meta><Generator>lanyard</Generator><DatabaseName>Passwords</DatabaseName>
        <RecycleBinEnabled>$2</RecycleBinEnabled>
        <CustomData><Item><Key>FDO_SECRETS_EXPOSED_GROUP</Key>
        <Value>{11111111-1111-1111-1111-111111111111}</Value></Item></CustomData></Meta>
        <Root><Group><UUID>EREREREREREREREREREREQ==</UUID><Name>Root</Name></Group></Root>
        </KeePassFile>
        END
        cat >"$D/settings" <<END
        [General]
        SingleInstance=false
        UpdateCheckMessageShown=true
        AutoSaveAfterEveryChange=false
        [FdoSecrets]
        Enabled=true
        ConfirmAccessItem=false
        ConfirmDeleteItem=false
        ShowNotification=false
        END
        tries=500
        until_is() {
            until "$@"; do
                tries=$((tries - 1))
                [ $tries -gt 0 ] || return 1
                sleep 0.02
            done
        }
        bus_answers() { dbus-send --bus="$DBUS_SESSION_BUS_ADDRESS" --print-reply "$@" 2>&1; }
        bus_is_there() {
            bus_answers --dest=org.freedesktop.DBus / org.freedesktop.DBus.GetId | grep -q string
        }
        database_is() {
            bus_answers --dest=org.freedesktop.secrets /org/freedesktop/secrets/aliases/default \\
                org.freedesktop.DBus.Properties.Get \\
                string:org.freedesktop.Secret.Collection string:Locked | grep -q "boolean $1"
        }
        dbus-daemon --config-file="$D/bus.conf" --nofork </dev/null >/dev/null 2>&1 &
        bus=$!
        mkfifo "$D/display"
        Xvfb -displayfd 3 -nolisten tcp -screen 0 1024x768x24 3>"$D/display" \\
            </dev/null >/dev/null 2>&1 &
        display=$!
        read -r number <"$D/display"
        export DISPLAY=":$number"
        printf 'password\\npassword\\n' | keepassxc-cli import --quiet --set-password \\
            --decryption-time 100 "$D/database.xml" "$D/passwords.kdbx" >/dev/null 2>&1 || finish
        until_is bus_is_there || finish
        echo ready
        while read -r command; do
            tries=500
            case $command in
            unlocked | locked)
                # It rewrites them.
                cp "$D/settings" "$D/general.ini"
                : >"$D/local.ini"
                set -- --config "$D/general.ini" --localconfig "$D/local.ini"
                if [ $command = unlocked ]; then
                    printf 'password\\n' >"$D/password"
                    keepassxc "$@" --pw-stdin "$D/passwords.kdbx" \\
                        <"$D/password" >/dev/null 2>&1 &
                    keepassxc=$!
                    until_is database_is false && echo started || echo failed
                else
                    keepassxc "$@" "$D/passwords.kdbx" </dev/null >/dev/null 2>&1 &
                    keepassxc=$!
                    until_is database_is true && echo started || echo failed
                fi ;;
            kill)
                kill -KILL $keepassxc
                wait $keepassxc 2>/dev/null
                keepassxc=
                echo killed ;;
            esac
        done
        finish
        """.replacing("\\\\", with: "\\")
}
