import Glibc

// bench git|docker COUNT: measures what a helper does for a tool with COUNT logins stored. The
// programs come from the environment; see ../../run.

let arguments = CommandLine.arguments
guard arguments.count == 3, let count = Int(arguments[2]), count > 0,
    let bin = variable("LANYARD_BIN_DIR")
else {
    fail("usage: LANYARD_BIN_DIR=… SCRATCH=… bench git|docker COUNT")
}
let rounds = variable("ROUNDS").flatMap { Int($0) } ?? 51

switch arguments[1] {
case "git": try measureGit(count, bin: bin, rounds: rounds)
case "docker": try measureDocker(count, bin: bin, rounds: rounds)
default: fail("there is no benchmark '\(arguments[1])'")
}
