import Glibc

// Runs the code of the articles in a scratch folder. LANYARD_HOME keeps it away from the user's own keychain.
guard let home = getenv("LANYARD_HOME").map({ String(cString: $0) }) else {
    fatalError("LANYARD_HOME is not set")
}
try gettingStarted()
try searchList(folder: "\(home)/program")
try managingKeychains()
try locking(folder: "\(home)/program")
