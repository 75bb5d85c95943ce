import LinuxSystem

// One program under two names, of all that uses GLib.
switch ProgramArguments.name() {
case pluginName: runPlugin()
default: runService()
}
