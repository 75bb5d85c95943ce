import LanyardCommand
import LinuxSystem

// One program under two names.
switch ProgramArguments.name() {
case agentName: runAgent()
default: runLanyard()
}
