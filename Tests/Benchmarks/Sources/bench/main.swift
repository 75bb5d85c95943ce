// bench git|docker|team|team-devices COUNT, bench command|tool-helpers|import|import-secret-service|secret-service|
// secret-service-search|watch|memory|size|instructions: measures, prints what it finds and adds it to the file RESULTS.
// bench aims, bench chart FILE: what came of it. See ../../run.

let arguments = CommandLine.arguments.dropFirst()
let count = arguments.count == 2 ? Int(arguments.last!) ?? 0 : 0

switch arguments.first {
case "git" where count > 0: try measureGit(count)
case "docker" where count > 0: try measureDocker(count)
case "command": measureCommand()
case "tool-helpers": try measureToolHelpers()
case "import": measureImport(100_000)
case "import-secret-service": measureSecretServiceImport(500)
case "secret-service": measureServing(1000)
case "secret-service-search": try measureSearching(10_000)
case "watch": try measureWatch(1000)
case "team" where count > 0: measureTeam(count)
case "team-devices" where count > 0: measureTeamDevices(count)
case "memory":
    try measureMemory()
    measureAgentMemory()
case "size": measureSizes()
case "instructions": try measureInstructions()
case "aims": printAims()
case "chart" where arguments.count == 2:
    write(arguments.last!, Chart.ofGet(Result.all()).svg, mode: 0o644)
default: fail("there is no benchmark '\(arguments.joined(separator: " "))'")
}
