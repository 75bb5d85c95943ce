internal import Foundation
package import Glibc
internal import Synchronization

/// A session bus of its own with a gnome-keyring of its own, in folders of its own.
///
/// A shell supervises them: when the value is gone, or the tests are, it ends what it started and
/// removes the folders.
package final class PrivateSecretService: @unchecked Sendable {
    /// What gnome-keyring finds and does when it starts.
    package enum Daemon: String {
        /// The collection `login` is there and open. It is made when it is not there.
        case unlocked
        /// What collections there are stay locked.
        case locked
    }

    let supervisor: SupervisingShell

    /// The folder that all is in.
    package let folder: String
    /// The process ids.
    package let bus: pid_t
    package var daemon: pid_t? {
        let pid = daemonNumber.load(ordering: .acquiring)
        return pid == 0 ? nil : pid
    }

    /// Zero for none.
    private let daemonNumber = Atomic<pid_t>(0)

    package var address: String { "unix:path=\(folder)/bus" }

    /// The display on which questions are shown, nil if none are.
    package let display: String?

    /// Starts a bus, and gnome-keyring on it.
    ///
    /// - Parameters:
    ///   - daemon: Nil for a bus without a Secret Service.
    ///   - hasDisplay: Whether there is a display, where gnome-keyring's questions are shown.
    package init(_ daemon: Daemon? = .unlocked, hasDisplay: Bool = false) throws {
        folder = "/tmp/lanyard-ss-\(UUID().uuidString)"
        supervisor = try SupervisingShell(
            PrivateSecretService.script, folder, hasDisplay ? "display" : "")
        display = hasDisplay ? supervisor.answer() : nil
        guard let pid = pid_t(supervisor.answer()) else {
            throw RigFailure(what: "the bus did not start")
        }
        bus = pid
        if let daemon {
            try start(daemon)
        }
    }

    deinit {
        resume()
    }

    /// Starts gnome-keyring on what files are there, and waits until it can be reached.
    package func start(_ daemon: Daemon) throws {
        guard let pid = pid_t(supervisor.ask(daemon.rawValue)) else {
            throw RigFailure(what: "gnome-keyring did not start")
        }
        daemonNumber.store(pid, ordering: .releasing)
    }

    /// Kills gnome-keyring and waits until it is gone.
    package func killDaemon() {
        _ = supervisor.ask("kill")
        daemonNumber.store(0, ordering: .releasing)
    }

    /// Stops a process, until ``resume()``.
    package func stop(_ pid: pid_t?) {
        if let pid {
            kill(pid, SIGSTOP)
        }
    }

    package func resume() {
        for pid in [bus, daemon].compactMap(\.self) {
            kill(pid, SIGCONT)
        }
    }

    /// Lets gnome-keyring run for a moment now and then only, as one that has much else to do, while a closure
    /// runs.
    package func whileBusy<Result>(_ body: () async throws -> Result) async throws -> Result {
        guard let daemon else {
            throw RigFailure(what: "there is no gnome-keyring")
        }
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                while !Task.isCancelled {
                    kill(daemon, SIGSTOP)
                    usleep(400_000)
                    kill(daemon, SIGCONT)
                    usleep(10_000)
                }
            }
            defer { group.cancelAll() }
            return try await body()
        }
    }

    /// The environment of programs that are to find this bus and no other.
    package var environment: [String: String] {
        [
            "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin",
            "HOME": "\(folder)/home", "XDG_RUNTIME_DIR": "\(folder)/run",
            "DBUS_SESSION_BUS_ADDRESS": address, "LC_ALL": "C.UTF-8",
        ]
    }

    private static let script = """
        umask 077
        D=$1
        mkdir "$D" "$D/home" "$D/run" "$D/data" "$D/config" "$D/cache" || exit 1
        export HOME="$D/home" XDG_RUNTIME_DIR="$D/run" XDG_DATA_HOME="$D/data"
        export XDG_CONFIG_HOME="$D/config" XDG_CACHE_HOME="$D/cache" LC_ALL=C.UTF-8
        export DBUS_SESSION_BUS_ADDRESS="unix:path=$D/bus"
        display=
        if [ -n "$2" ]; then
            mkfifo "$D/display"
            Xvfb -displayfd 3 -nolisten tcp 3>"$D/display" </dev/null >/dev/null 2>&1 &
            display=$!
            read -r number <"$D/display"
            export DISPLAY=":$number" GDK_BACKEND=x11 NO_AT_BRIDGE=1
            echo "$DISPLAY"
            mkdir "$D/services"
            printf '[D-BUS Service]\nName=org.gnome.keyring.SystemPrompter\nExec=%s\n' \
                /usr/libexec/gcr-prompter >"$D/services/prompter.service"
        fi
        cat >"$D/bus.conf" <<END
        <busconfig><type>session</type><servicedir>$D/data/dbus-1/services</servicedir>
        <servicedir>$D/services</servicedir><listen>unix:path=$D/bus</listen><auth>EXTERNAL</auth>
        <policy context="default"><allow send_destination="*" eavesdrop="true"/>
        <allow eavesdrop="true"/><allow own="*"/></policy>
        <limit name="service_start_timeout">120000</limit>
        <limit name="max_incoming_bytes">1000000000</limit>
        <limit name="max_outgoing_bytes">1000000000</limit>
        <limit name="max_message_size">1000000000</limit>
        <limit name="max_connections_per_user">100000</limit>
        <limit name="max_completed_connections">100000</limit>
        <limit name="max_replies_per_connection">50000</limit></busconfig>
        END
        printf %s password >"$D/password"
        dbus-daemon --config-file="$D/bus.conf" --nofork </dev/null >/dev/null 2>&1 &
        bus=$!
        daemon=
        has_owner() {
            dbus-send --bus="$DBUS_SESSION_BUS_ADDRESS" --print-reply --dest=org.freedesktop.DBus \\
                / org.freedesktop.DBus.NameHasOwner string:org.freedesktop.secrets 2>&1
        }
        await() {
            tries=500
            until has_owner | grep -q "$1"; do
                tries=$((tries - 1))
                [ $tries -gt 0 ] || { echo failed; return; }
                sleep 0.02
            done
            echo "$2"
        }
        await_default() {
            tries=500
            until dbus-send --bus="$DBUS_SESSION_BUS_ADDRESS" --print-reply \\
                --dest=org.freedesktop.secrets /org/freedesktop/secrets/aliases/default \\
                org.freedesktop.DBus.Properties.Get \\
                string:org.freedesktop.Secret.Collection string:Locked 2>&1 | grep -q 'boolean false'
            do
                tries=$((tries - 1))
                [ $tries -gt 0 ] || { echo failed; return; }
                sleep 0.02
            done
            echo "$1"
        }
        question() { xdotool search --onlyvisible --class gcr-prompter 2>/dev/null; }
        await_question() {
            tries=$2
            until [ "$(question | wc -l)" "$1" 0 ]; do
                tries=$((tries - 1))
                [ $tries -gt 0 ] || return 1
                sleep 0.05
            done
        }
        await boolean $bus
        while read -r command; do
            case $command in
            answer*)
                answered=failed
                if await_question -gt 1200; then
                    # It takes hold of the keyboard a moment later, or on a busy machine some seconds:
                    # what was typed until then is lost, or a part of it.
                    for second in 0.5 1 2 4 8 8 8; do
                        sleep $second
                        xdotool key ctrl+a BackSpace ${command#answer }
                        if await_question -eq 40; then
                            answered=answered
                            break
                        fi
                    done
                fi
                echo $answered ;;
            unlocked)
                gnome-keyring-daemon --foreground --unlock --components=secrets \\
                    <"$D/password" >/dev/null 2>&1 &
                daemon=$!
                await 'boolean true' $daemon >/dev/null
                await_default $daemon >/dev/null
                sleep 0.1
                await_default $daemon ;;
            locked)
                gnome-keyring-daemon --foreground --components=secrets \\
                    </dev/null >/dev/null 2>&1 &
                daemon=$!
                await 'boolean true' $daemon ;;
            kill)
                kill -KILL $daemon
                wait $daemon 2>/dev/null
                daemon=
                await 'boolean false' killed ;;
            esac
        done
        for pid in $daemon $bus; do
            kill -CONT $pid 2>/dev/null
            kill -KILL $pid 2>/dev/null
        done
        # It removes its socket and its lock itself.
        [ -z "$display" ] || kill -TERM $display
        wait
        rm -rf "$D"
        """.replacing("\\\\", with: "\\")
}
