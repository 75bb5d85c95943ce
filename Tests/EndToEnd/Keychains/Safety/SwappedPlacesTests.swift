import Foundation
import Glibc
import Testing
@testable import EndToEndRig

/// Another user swaps folders on the way to a keychain, again and again, while its owner uses it:
/// for links, FIFOs and files of their own.
@Suite(.needs(.root, .anotherUser, .systemPython), .timeLimit(.minutes(10)))
struct SwappedPlacesTests {
    let home: ScratchHome
    let request = "protocol=https\nhost=example.com\nusername=ada\n"

    init() throws {
        home = try ScratchHome()
    }

    /// What is swapped for something else.
    enum Target: String, CaseIterable, CustomTestStringConvertible {
        case home = "."
        case data
        case state

        var testDescription: String { rawValue }
    }

    /// The victim's keychain in a place where the attacker may rename everything; what the attacker
    /// puts in its place lies beside it.
    ///
    /// - Returns: The folder of all, and the one of the traps.
    private func prepare(
        _ target: Target, _ programs: String
    ) async throws -> (shared: String, traps: String) {
        let shared = try home.folder("shared", of: AnotherUser.id, mode: 0o777)
        let traps = try await home.shell(
            """
            user=$1 attacker=$2 shared=$3 helper=$4/git-credential-lanyard target=$5 input=$6
            as() { id=$1; shift; setpriv --reuid="$id" --regid="$id" --clear-groups "$@"; }
            for place in "$shared/home" "$shared/precious"; do
                as "$user" mkdir -m 777 "$place"
                as "$user" env LANYARD_HOME="$place" "$helper" store <"$input"
            done
            # The victim's own file that a journal's name could lead to.
            as "$user" sh -c 'umask 077; echo precious >"$1"' sh "$shared/precious/file"
            # Another user's folder can be renamed, but not moved: the traps are next to it.
            traps=$shared link=$shared/precious
            [ "$target" = . ] || traps=$shared/home link=$shared/precious/$target
            as "$attacker" sh -euc '
                umask 000
                cd "$1"
                ln -s "$2" trap-link
                mkfifo trap-fifo
                mkdir trap-files trap-fifos
                for file in login.keychain machine-key config; do
                    mkfifo "trap-fifos/$file"
                    echo "of the attacker" >"trap-files/$file"
                done
                ln -s "$3" trap-files/login.keychain-journal
                for name in files fifos; do
                    mkdir "trap-deep-$name"
                    for part in data state config; do
                        cp -Rp "trap-$name" "trap-deep-$name/$part"
                    done
                done' sh "$traps" "$link" "$shared/precious/file"
            printf %s "$traps"
            """, "\(AnotherUser.victim)", "\(AnotherUser.id)", shared, programs, target.rawValue,
            try home.write("\(request)password=distinctive-secret\n", to: "login", mode: 0o644))
        return (shared, traps.outputText)
    }

    @Test(arguments: Target.allCases) func nothingIsFollowedAndNothingHangs(
        _ target: Target
    ) async throws {
        let programs = try home.copiesOfPrograms(["git-credential-lanyard"])
        let (shared, traps) = try await prepare(target, programs)
        let before = (try files(of: AnotherUser.id, traps), try Snapshot("\(shared)/precious"))
        let attack = try home.command(
            "setpriv",
            AnotherUser.arguments + [
                "/usr/bin/python3", "-c", Self.attacker, "\(shared)/home/\(target.rawValue)",
                "\(traps)/trap-", target == .home ? "deep-" : "",
            ])
        let (end, outcome) = try await attack.run { [home, request] _ in
            try await home.command(
                "setpriv",
                AnotherUser.arguments(AnotherUser.victim) + ["sh", "-c", Self.victim, "sh"]
                    + [programs, "\(shared)/home", request, "120"]
            ).run()
        }
        #expect(end.status == 0 && outcome.status == 0, "\(end), \(outcome)")
        let runs = try JSONDecoder().decode([String: Int].self, from: Data(outcome.output))
        let swaps = try JSONDecoder().decode(Int.self, from: Data(end.output))
        print("\(target): \(swaps) swaps during \(runs)")
        #expect(runs["timeout"] == 0 && runs["wrong"] == 0, "\(outcome)")
        #expect(runs["right", default: 0] > 0 && runs["refused", default: 0] > 0, "\(outcome)")
        // A stored item that the state folder, swapped just then, has no record of.
        #expect(target != .data || runs["warned"] == 0, "\(outcome)")
        #expect(swaps > 1000)
        #expect(try files(of: AnotherUser.id, traps) == before.0, "a trap was written to")
        let precious = try Snapshot("\(shared)/precious")
        #expect(
            Set(precious.entries.keys) == Set(before.1.entries.keys), "made behind a link")
        #expect(precious.contentDifferences(from: before.1) == [], "written behind a link")
        // In another user's folder nothing is more secret than its path; but what is ours is private.
        for (name, entry) in try Snapshot(shared).entries
        where entry.owner == AnotherUser.victim && name.contains("new") {
            #expect(entry.permissions & 0o077 == 0, "\(name)")
        }
    }

    /// What is in a user's files, and what is no file.
    private func files(of user: uid_t, _ folder: String) throws -> [String: [UInt8]?] {
        try Snapshot(folder).entries.filter { $0.value.owner == user }.mapValues(\.bytes)
    }

    /// Exchanges a place with one trap after another until its input ends, as fast as it can.
    private static let attacker = """
        import ctypes, random, select, sys
        place, traps, prefix = sys.argv[1].removesuffix("/."), sys.argv[2], sys.argv[3]
        renameat2 = ctypes.CDLL(None, use_errno=True).renameat2
        kinds = [(traps + name).encode()
                 for name in ("link", "fifo", prefix + "files", prefix + "fifos")]
        place, swaps = place.encode(), 0
        while not select.select([0], [], [], 0)[0]:
            for _ in range(50):
                trap = random.choice(kinds)
                # 2 is RENAME_EXCHANGE. Both or none, or the trap would stay in its place.
                if renameat2(-100, trap, -100, place, 2) == 0:
                    for _ in range(random.randrange(400)):
                        pass
                    if renameat2(-100, trap, -100, place, 2) != 0:
                        sys.exit("the place is lost")
                    swaps += 2
                for _ in range(random.randrange(400)):
                    pass
        print(swaps)
        """

    /// Uses the keychain: looks up, stores, makes new ones.
    private static let victim = """
        umask 000
        right=0 warned=0 refused=0 wrong=0 timeout=0 i=0
        warning="lanyard: warning: lanyard would accept an older copy of the keychain 'login': "
        mistake() { wrong=$((wrong + 1)); printf '%s: %s\\n' "$status" "$answer" >&2; }
        while [ $i -lt "$4" ]; do
            i=$((i + 1))
            export LANYARD_HOME=$2
            operation=get input=$3
            case $((i % 4)) in
            0) operation=store input="${3}password=distinctive-secret
        " ;;
            1) operation=store LANYARD_HOME=$2/new$i input="${3}password=distinctive-secret
        " ;;
            esac
            answer=$(printf '%s' "$input" | timeout -s KILL 10 "$1/git-credential-lanyard" "$operation" 2>&1)
            status=$?
            case $status,$operation,$answer in
            0,store, | 0,get, | 0,get,*password=distinctive-secret) right=$((right + 1)) ;;
            0,store,*"
        "*) mistake ;;
            0,store,"$warning"*) warned=$((warned + 1)) ;;
            1,*,"lanyard: error: "*) refused=$((refused + 1)) ;;
            137,*) timeout=$((timeout + 1)) ;;
            *) mistake ;;
            esac
        done
        printf '{"right":%d,"warned":%d,"refused":%d,"wrong":%d,"timeout":%d}' \\
            $right $warned $refused $wrong $timeout
        """
}
