import Glibc
import KeychainServices
import SealedStore

/// Measures git's helpers: get of a login among `count`, and store of new ones.
func measureGit(_ count: Int) throws {
    let start = now()
    let helpers = try GitHelpers(count)
    if count >= 1_000_000 {
        // What is still to be written would be in the way of what is measured.
        sync()
        let seconds = decimal((now() - start) / 1000, 0)
        say("filling with \(grouped(count)) logins in one transaction took \(seconds) s")
    }
    let requests = GitRequests(rounds: Options.rounds, among: count)

    let answer = "password=\(Login.password(Login.wanted(0, of: count)))\n"

    var getting = helpers.doing("get", requests.get, expecting: answer)
    if count == 1, let path = variable("EMPTY_PROGRAM") {
        let empty = Program(name: "empty C program", path: path)
        getting.append(empty.doing("get", requests.get))
    }
    if count >= 1_000_000 {
        let request = GitRequests(rounds: 0, among: 1).get(0)
        var alone = GitHelpers.ours(home: try filledHome(1, group: "git"))
        alone.name = "\(GitHelpers.name) with 1"
        getting.append(
            alone.doing("get", { _ in request }, expecting: "password=\(Login.password(0))\n"))
    }
    Comparison(work: Result.work("git get", count), programs: getting).measure()
    if count == 1 {
        let files = getting.map(\.path) + helpers.files
        Comparison(work: dropped(Result.work("git get", 1)), programs: getting, dropped: files)
            .measure()
    }

    if Options.wants("sizes"), count <= 1000 {
        try measureUnlocked(count, getting[0])
        measureSecretService(count, helpers, getting[0])
        measureWithoutTrait(count, getting[0])
    }
    if Options.wants("aims", "sizes"), count < 1_000_000 {
        Comparison(
            work: Result.work("git store of a new login", count),
            programs: helpers.doing("store", requests.store)
        ).measure()
    }
}

/// The name of a work that is done after the pages of the programs and of the logins were dropped.
func dropped(_ work: String) -> String { "\(work), after dropping its pages" }

/// Measures get of a keychain with a passphrase that is unlocked beside that of one without.
private func measureUnlocked(_ count: Int, _ program: Program) throws {
    let store = try filledStore(count, group: "git", name: "unlocked")
    try PassphraseChange.set(Secret("bench"), of: store).apply()
    let work = Result.work("git get", count)
    do throws(KeychainError) {
        try store.keepUnlocked(timeout: 3600)
    } catch {
        say("\(work) | unlocked with a passphrase | skipped: \(error.reason) |")
        return
    }
    var without = program
    without.name = "without a passphrase"
    var unlocked = program
    unlocked.name = "unlocked with a passphrase"
    unlocked.environment["LANYARD_HOME"] = home(count, group: "git", name: "unlocked")
    Comparison(work: work, programs: [unlocked, without]).measure()
    try store.lock(firstUnlock: true)
}

/// Measures get from the Secret Service, where git-credential-libsecret has stored the logins: by it, by
/// ours told to look there, and by ours that has to find out.
private func measureSecretService(_ count: Int, _ helpers: GitHelpers, _ program: Program) {
    guard let libsecret = helpers.libsecret else {
        return
    }
    var ours = program
    ours.name = "Secret Service"
    ours.environment["LANYARD_KEYCHAIN"] = "secret-service"
    var unconfigured = ours
    unconfigured.name = "nothing configured"
    unconfigured.environment["LANYARD_KEYCHAIN"] = ""
    let peer = libsecret.doing("get", program.input, expecting: program.expected)
    Comparison(
        work: Result.work("git get from the Secret Service", count),
        programs: [ours, peer, unconfigured]
    ).measure()
}

/// Measures get from the sealed file by a helper that was built without the trait SecretService.
private func measureWithoutTrait(_ count: Int, _ program: Program) {
    guard let path = variable("WITHOUT_SECRET_SERVICE") else {
        return
    }
    var with = program
    with.name = "built with the Secret Service"
    var without = program
    without.name = "built without"
    without.path = path
    Comparison(work: Result.work("git get", count), programs: [with, without]).measure()
}
