import Foundation
import Testing

/// A system bus of its own with a logind that does what a test says, and the program that waits for it. The
/// real one needs a machine that sleeps.
struct MockLogind {
    let home: ScratchHome

    /// Runs a script while the program waits for signals. In it, `tell COMMAND` makes logind send a signal,
    /// and `await LINE` waits until logind or the program has written such a line.
    func run(_ script: String, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let logind = try home.write(MockLogind.logind, to: "logind.py")
        try await home.shell(
            "\(MockLogind.prelude)\n\(script)\nstop", logind, sourceLocation: sourceLocation)
    }

    static let need = Need(missing: "there is no dbus-daemon, or no D-Bus for Python") {
        try await Need.succeeds(
            "sh", "-c",
            "command -v dbus-daemon && /usr/bin/python3 -c 'import dbus.service; from gi.repository import GLib'"
        )
    }

    private static let prelude = """
        LOGIND=$1
        cd "$HOME"
        await() {
            for _ in $(seq 300); do
                ! grep -qxF "$1" written || return 0
                sleep 0.1
            done
            printf 'there is no line %s in:\\n' "$1" >&2
            cat written >&2
            exit 1
        }
        tell() { : >written; echo "$1" >&3; }
        is_locked() { ! LANYARD_NO_PROMPT=1 lanyard get --keychain "$1" x >/dev/null 2>&1; }
        expect() { "$@" || { echo "not so: $*" >&2; exit 1; }; }
        stop() {
            trap - EXIT
            kill $waiting $logind $bus 2>/dev/null || :
            wait
        }
        cat >bus.conf <<END
        <busconfig><type>system</type><listen>unix:path=$HOME/bus</listen><auth>EXTERNAL</auth>
        <policy context="default"><allow send_destination="*"/><allow receive_sender="*"/><allow own="*"/>
        </policy></busconfig>
        END
        export DBUS_SYSTEM_BUS_ADDRESS="unix:path=$HOME/bus"
        : >written
        mkfifo commands
        waiting='' logind=''
        dbus-daemon --config-file=bus.conf --nofork </dev/null >/dev/null 2>&1 &
        bus=$!
        trap stop EXIT
        for _ in $(seq 100); do
            [ ! -S bus ] || break
            sleep 0.1
        done
        /usr/bin/python3 "$LOGIND" <commands >>written 2>&1 &
        logind=$!
        exec 3>commands
        await ready
        lanyard-keychain-secret-service --lock-on-signals >>written 2>&1 &
        waiting=$!
        await delayed
        """

    private static let logind = """
        import os
        import dbus, dbus.mainloop.glib, dbus.service
        from gi.repository import GLib

        LOGIND = "org.freedesktop.login1"
        dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
        bus = dbus.SystemBus()
        name = dbus.service.BusName(LOGIND, bus)

        def say(line):
            print(line, flush=True)

        class Manager(dbus.service.Object):
            @dbus.service.method(LOGIND + ".Manager", in_signature="ssss", out_signature="h")
            def Inhibit(self, what, who, why, mode):
                reader, writer = os.pipe()
                GLib.io_add_watch(reader, GLib.PRIORITY_DEFAULT, GLib.IO_HUP, lambda *_: say("released"))
                descriptor = dbus.types.UnixFd(writer)
                os.close(writer)
                say("delayed" if (what, mode) == ("sleep", "delay") else f"{what} {mode}")
                return descriptor

            @dbus.service.signal(LOGIND + ".Manager", signature="b")
            def PrepareForSleep(self, begins):
                pass

        class Session(dbus.service.Object):
            def __init__(self, number, user):
                super().__init__(bus, f"/org/freedesktop/login1/session/_3{number}")
                self.user = user

            @dbus.service.method("org.freedesktop.DBus.Properties", in_signature="ss", out_signature="v")
            def Get(self, interface, name):
                say("asked")
                path = f"/org/freedesktop/login1/user/_{self.user}"
                return dbus.Struct((dbus.UInt32(self.user), dbus.ObjectPath(path)), signature="uo")

            @dbus.service.signal(LOGIND + ".Session", signature="")
            def Lock(self):
                pass

            @dbus.service.signal("org.freedesktop.DBus.Properties", signature="sa{sv}as")
            def PropertiesChanged(self, interface, changed, invalidated):
                pass

        manager = Manager(bus, "/org/freedesktop/login1")
        sessions = {"ours": Session(1, os.geteuid()), "theirs": Session(2, 61236)}

        def obey(source, condition):
            lines = os.read(0, 4096).decode().splitlines()
            for line in lines:
                send(line.split())
            if not lines:
                loop.quit()
            return bool(lines)

        def send(words):
            if words[0] in ("sleep", "wake"):
                manager.PrepareForSleep(words[0] == "sleep")
            elif words[0] == "lock":
                sessions[words[1]].Lock()
            else:
                sessions[words[1]].PropertiesChanged(
                    LOGIND + ".Session", {"IdleHint": True, words[0]: words[2] == "true"}, [])

        loop = GLib.MainLoop()
        GLib.io_add_watch(0, GLib.PRIORITY_DEFAULT, GLib.IO_IN | GLib.IO_HUP, obey)
        say("ready")
        loop.run()
        """
}
