import LinuxSystem
import TestSupport

@testable import LanyardConfiguration

extension ScratchFolder {
    /// The places of the home in this folder.
    var places: Places { Places(home: "\(path)/home") }

    /// Writes the configuration's file, and reads it.
    func configuration(_ text: String) throws -> Configuration {
        try PrivatePlace.makeFolder(places.configuration)
        try PrivatePlace.replaceFile(Configuration.file(places), Array(text.utf8).span)
        return try Configuration(places: places)
    }
}
