import Keychains
import KeychainServices

/// The code of the article Managing keychains.
func managingKeychains() throws {
    var keychains = try UserKeychains()
    try keychains.create("work", passphrase: Secret("correct horse battery"))
    try keychains.setSearchList(["work", "login"])
    try keychains.setDefault("login")
    for entry in try keychains.all() {
        print("\(entry.name): \(entry.kind)\(entry.isDefault ? ", for new items" : "")")
    }
    // The kernel of a container may store no keys: then it stays locked.
    if try !keychains.isLocked("work") {
        try useOne(keychains)
    }
    try settings(&keychains)
    try lockAndDelete(&keychains)
}

private func useOne(_ keychains: UserKeychains) throws {
    let work = try keychains.open("work")
    try work.setPassword("a token", service: "my-program", account: "ada")
}

private func settings(_ keychains: inout UserKeychains) throws {
    var settings = try keychains.settings(of: "work")
    settings.lockAfter = 4 * 3600
    settings.locksOnSleep = true
    try keychains.setSettings(settings, of: "work")
}

private func lockAndDelete(_ keychains: inout UserKeychains) throws {
    try keychains.lock("work")
    try UserKeychains.lockAll()
    try keychains.delete("work")
}
