import Foundation
import TestSupport
import Synchronization
import Testing
@testable import EndToEndRig

/// Where there is no room, or nothing may be written, a change is refused and nothing is lost;
/// reading goes on.
@Suite(.serialized, .timeLimit(.minutes(600)))
struct FullPlaceTorture {
    /// Works while `trouble` is made again and again in the place.
    private func torture(
        _ name: String, size: String, _ part: Double,
        _ trouble: @escaping @Sendable (MountedPlace, inout SeededRandom) async throws -> Void
    ) async throws {
        let place = try await MountedPlace(try ScratchHome(), size: size)
        var workload = TortureWorkload(home: place.home)
        workload.prefix = { _ in place.prefix }
        workload.refusal = .unchanged
        let isOver = Mutex(false)
        async let troubles: Void = {
            var random = SeededRandom(stream: name.utf8.count)
            while !isOver.withLock(\.self) {
                try await trouble(place, &random)
            }
        }()
        let figures = try await workload.run(for: Torture.time(part))
        isOver.withLock { $0 = true }
        try await troubles
        let mended = try await place.shell("mount -o remount,rw \"$1\"; rm -f \"$1/filler\"")
        #expect(mended.status == 0, "\(mended)")
        try await workload.expectInOrder()
        let left = try await place.shell("ls \"$1/data\"")
        #expect(left.outputText == "login.keychain\n", "\(left)")
        print("\(name): \(figures.operations) operations, \(figures.refused) of them refused")
        #expect(figures.refused > 0, "there was no trouble")
    }

    @Test(.needs(.root, .mounts)) func aFullDisk() async throws {
        try await torture("a full disk", size: "768k", 0.1) { place, random in
            _ = try await place.shell("cat /dev/zero >\"$1/filler\"")
            try await Task.sleep(for: .milliseconds(random.number(below: 300)))
            _ = try await place.shell("rm \"$1/filler\"")
            try await Task.sleep(for: .milliseconds(random.number(below: 200)))
        }
    }

    @Test(.needs(.root, .mounts)) func whatAnotherProcessFills() async throws {
        try await torture("a disk that another fills", size: "512k", 0.1) { place, random in
            // By pages, at the pace of what writes beside it.
            let pages = 1 + random.number(below: 60)
            _ = try await place.shell(
                "for page in $(seq \(pages)); do head -c 4096 /dev/zero >>\"$1/filler\" || :; done")
            if random.one(in: 6) {
                _ = try await place.shell("rm -f \"$1/filler\"")
            }
        }
    }

    @Test(.needs(.root, .mounts)) func aReadOnlyRemount() async throws {
        try await torture("a read-only remount", size: "4m", 0.1) { place, random in
            // Refused while a file is open for writing: then again.
            _ = try await place.shell(
                "for i in $(seq 200); do mount -o remount,ro \"$1\" 2>/dev/null && break; done")
            try await Task.sleep(for: .milliseconds(random.number(below: 200)))
            _ = try await place.shell("mount -o remount,rw \"$1\"")
            try await Task.sleep(for: .milliseconds(random.number(below: 200)))
        }
    }

    @Test(.needs(.prlimit)) func aLimitOnTheSizeOfFiles() async throws {
        let home = try ScratchHome()
        var workload = TortureWorkload(home: home)
        // Some are not limited, to have something to read; and the limit moves around
        // the size of a keychain with some of the items.
        workload.prefix = { random in
            random.one(in: 3)
                ? [] : ["prlimit", "--fsize=\(random.number(below: 400_000))"]
        }
        workload.refusal = .unchanged
        workload.refusesReading = true
        let figures = try await workload.run(for: Torture.time(0.1))
        workload.prefix = { _ in [] }
        try await workload.expectInOrder()
        print("RLIMIT_FSIZE: \(figures.operations) operations, \(figures.refused) of them refused")
        #expect(figures.refused > 0, "there was no trouble")
    }
}
