import Foundation
import Security
import Testing

/// The environment names the program `SecurityWorker`.
let worker = ProcessInfo.processInfo.environment["SECURITY_WORKER"]

@Suite("several threads and processes at once")
struct AtOnceTests {
    @Test func fourThreads() {
        let items = Items()
        let failures = Failures()
        DispatchQueue.concurrentPerform(iterations: 4) { thread in
            for number in 0..<25 {
                failures.note(items.add("\(thread) \(number)"))
                failures.note(items.add("shared \(number)"))
                failures.note(
                    items.find([kSecAttrAccount: "shared \(number)", kSecReturnData: true]).status)
                failures.note(
                    items.update([kSecAttrAccount: "\(thread) \(number)"], [kSecAttrComment: "c"]))
            }
        }
        #expect(failures.statuses.allSatisfy { $0 == errSecDuplicateItem })
        #expect(failures.statuses.count == 75)
        #expect(count(items) == 125)
    }

    @Test(.enabled(if: worker != nil, "SECURITY_WORKER names no program"))
    func fourProcesses() throws {
        let items = Items("workers")
        let processes = try (0..<4).map { number in
            let process = Process()
            process.executableURL = URL(fileURLWithPath: try #require(worker))
            process.arguments = ["process\(number)", "25"]
            let output = Pipe()
            process.standardOutput = output
            try process.run()
            return (process, output)
        }
        var lines: [Substring] = []
        for (process, output) in processes {
            let bytes = output.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            #expect(process.terminationStatus == 0)
            lines += String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        }
        #expect(lines.allSatisfy { $0 == "add shared \(errSecDuplicateItem)" })
        #expect(lines.count == 75)
        #expect(count(items) == 125)
    }

    private func count(_ items: Items) -> Int? {
        let found = items.find([kSecReturnData: true, kSecMatchLimit: kSecMatchLimitAll])
        return (found.result as? [Data])?.count
    }
}

/// The statuses other than success that threads saw.
private final class Failures: @unchecked Sendable {
    private let lock = NSLock()
    private var noted: [OSStatus] = []

    func note(_ status: OSStatus) {
        if status != errSecSuccess {
            lock.withLock { noted.append(status) }
        }
    }

    var statuses: [OSStatus] { lock.withLock { noted } }
}
