import Foundation

// Prints what is read of the files of certificates in DER, as JSON.
var certificates: [ReadCertificate] = []
for path in CommandLine.arguments.dropFirst() {
    certificates.append(try ReadCertificate(der: Data(contentsOf: URL(filePath: path))))
}
let encoder = JSONEncoder()
encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
try FileHandle.standardOutput.write(contentsOf: encoder.encode(certificates))
