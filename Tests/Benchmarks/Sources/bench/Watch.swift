import Glibc
import KeychainServices
import SealedStore

/// Measures the time from the beginning of a change until `lanyard watch` has printed its event: the median and
/// the longest of `count` changes by this process, one after the other.
func measureWatch(_ count: Int) throws {
    let store = try filledStore(1000, group: "watch")
    let keychain = Keychain(store, accessGroup: "watch")
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0, let lines = fdopen(ends[0], "r") else {
        fail("there is no pipe")
    }
    _ = fcntl(ends[0], F_SETFD, FD_CLOEXEC)
    let watch = start(
        Program(
            name: "lanyard watch", path: "\(Options.bin)/lanyard",
            arguments: ["watch", "--json", "--keychain", "login"],
            environment: ["LANYARD_HOME": home(1000, group: "watch")]), output: ends[1])
    close(ends[1])
    let size = 4096
    let text = UnsafeMutablePointer<CChar>.allocate(capacity: size)
    defer { text.deallocate() }
    func expectLine(_ event: String) {
        alarm(60)
        guard fgets(text, Int32(size), lines) != nil,
            String(cString: text).hasPrefix("{\"event\":\"\(event)\"")
        else {
            fail("lanyard watch did not print '\(event)'")
        }
        alarm(0)
    }
    expectLine("watching")
    var times: [Double] = []
    for number in 0..<count {
        var attributes = ItemAttributes()
        attributes.service = ByteString("watched-\(number)")
        let start = now()
        try keychain.add(.genericPassword, attributes, secret: Secret("x"))
        expectLine("added")
        times.append(now() - start)
    }
    kill(watch, SIGTERM)
    waitpid(watch, nil, 0)
    fclose(lines)
    let work = Result.work("a change until its event", count)
    Result.report([
        Result(work: work, program: "lanyard watch", value: median(times), unit: .milliseconds),
        Result(
            work: work, program: "lanyard watch, the longest", value: times.max(),
            unit: .milliseconds),
    ])
}
