import Glibc

/// A program to run: what it is called with and where its input comes from.
struct Program {
    var name: String
    var path: String
    var arguments: [String] = []
    /// Variables beside the bench's own environment.
    var environment: [String: String] = [:]
    /// The file that is standard input, by the number of the run.
    var input: (Int) -> String = { _ in "/dev/null" }
    /// What has to be done before a run and is not measured.
    var prepare: (Int) -> Void = { _ in }
    /// What its answer has to hold; one that answers something else does not do the work.
    var expected: String?
}

/// What a run cost.
struct Cost {
    /// From the start to the end, in milliseconds.
    var wall: Double
    /// The time on processors, in milliseconds.
    var cpu = 0.0
    /// The page faults that needed no disk.
    var faults = 0.0
    /// The exit status, -1 if a signal ended it.
    var status: Int32
}

/// The child that an alarm ends: nothing here may wait for ever.
private nonisolated(unsafe) var running: pid_t = 0

/// Runs a program once and waits for its end, five minutes at most.
///
/// - Parameters:
///   - round: The number of the run, which says what its input is.
///   - output: The file that takes its standard output.
func run(_ program: Program, round: Int, output: String = "/dev/null") -> Cost {
    program.prepare(round)
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, program.input(round), O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    signal(SIGALRM) { _ in kill(running, SIGKILL) }
    let start = now()
    guard let child = spawn(program, &actions) else {
        return Cost(wall: 0, status: 127)
    }
    running = child
    alarm(300)
    var status: Int32 = 0
    var usage = rusage()
    while wait4(running, &status, 0, &usage) == -1, errno == EINTR {}
    let end = now()
    alarm(0)
    return Cost(
        wall: end - start, cpu: milliseconds(usage.ru_utime) + milliseconds(usage.ru_stime),
        faults: Double(usage.ru_minflt), status: status & 0x7F == 0 ? status >> 8 & 0xFF : -1)
}

/// Starts a program that runs until the caller ends it, with an open file as its standard output. An alarm ends
/// it, too.
func start(_ program: Program, output: Int32) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, output, 1)
    signal(SIGALRM) { _ in kill(running, SIGKILL) }
    guard let child = spawn(program, &actions) else {
        fail("\(program.name) can't be started")
    }
    running = child
    return child
}

private func spawn(
    _ program: Program, _ actions: inout posix_spawn_file_actions_t
) -> pid_t? {
    var environment: [UnsafeMutablePointer<CChar>?] = []
    var position = environ
    while let variable = position.pointee {
        environment.append(strdup(variable))
        position += 1
    }
    for (name, value) in program.environment {
        environment.append(strdup("\(name)=\(value)"))
    }
    environment.append(nil)
    var arguments = ([program.path] + program.arguments).map { strdup($0) } + [nil]
    defer { (environment + arguments).forEach { free($0) } }

    var child: pid_t = 0
    let code = posix_spawn(&child, program.path, &actions, nil, &arguments, environment)
    return code == 0 ? child : nil
}

private func milliseconds(_ time: timeval) -> Double {
    Double(time.tv_sec) * 1000 + Double(time.tv_usec) / 1000
}

/// Milliseconds from some moment in the past.
func now() -> Double {
    var moment = timespec()
    clock_gettime(CLOCK_MONOTONIC, &moment)
    return Double(moment.tv_sec) * 1000 + Double(moment.tv_nsec) / 1_000_000
}
