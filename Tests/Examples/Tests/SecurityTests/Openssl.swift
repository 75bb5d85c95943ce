import Foundation
import Security
import Testing

/// What the program openssl makes for the tests, in a folder of their own.
enum Openssl {
    /// Whether the program is there.
    static let isInstalled = (try? run(["version"])) != nil

    /// Runs the program in the folder and returns what it prints.
    @discardableResult
    static func run(_ arguments: [String], in folder: URL? = nil) throws -> Data {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["openssl"] + arguments
        process.currentDirectoryURL = folder
        process.standardInput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw CocoaError(.executableLoad)
        }
        return bytes
    }
}

/// A root, and a certificate with its key that the root signed, whose names nothing else has.
final class Authority {
    let folder: URL
    let name: String

    init() throws {
        let number = UInt32.random(in: 0 ... .max)
        name = "ada-\(number).example.org"
        folder = FileManager.default.temporaryDirectory.appendingPathComponent(name)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        let curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
        try run(
            ["req", "-x509", "-days", "30", "-keyout", "root.key", "-out", "root.pem"] + curve
                + ["-subj", "/O=Tests of \(number)/CN=Root \(number)"])
        try run(
            ["req", "-x509", "-days", "20", "-keyout", "leaf.key", "-out", "leaf.pem"] + curve
                + ["-subj", "/O=Tests of \(number)/CN=\(name)", "-CA", "root.pem", "-CAkey"]
                + ["root.key", "-addext", "basicConstraints=critical,CA:FALSE", "-addext"]
                + ["subjectAltName=DNS:\(name),email:ada@\(name)", "-addext"]
                + ["extendedKeyUsage=serverAuth"])
        try run(["pkcs8", "-topk8", "-nocrypt", "-in", "leaf.key", "-out", "leaf.p8"])
        for each in ["root", "leaf"] {
            try run(["x509", "-in", "\(each).pem", "-outform", "DER", "-out", "\(each).der"])
        }
        try run(
            ["pkcs12", "-export", "-in", "leaf.pem", "-inkey", "leaf.key", "-certfile"]
                + ["root.pem", "-name", "the identity", "-passout", "pass:swordfish"]
                + ["-out", "leaf.p12"])
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    @discardableResult
    func run(_ arguments: [String]) throws -> Data { try Openssl.run(arguments, in: folder) }

    func file(_ name: String) throws -> Data {
        try Data(contentsOf: folder.appendingPathComponent(name))
    }

    func write(_ data: Data, to name: String) throws {
        try data.write(to: folder.appendingPathComponent(name))
    }

    func certificate(_ name: String = "leaf") throws -> SecCertificate {
        try #require(SecCertificateCreateWithData(nil, file("\(name).der") as CFData))
    }

    /// The entry of the PKCS #12 file.
    func imported() throws -> [String: Any] {
        let options = [kSecImportExportPassphrase as String: "swordfish"]
        var items: CFArray?
        let status = SecPKCS12Import(
            try file("leaf.p12") as CFData, options as CFDictionary, &items)
        #expect(status == errSecSuccess)
        return try #require((items as? [[String: Any]])?.first)
    }

    func identity() throws -> SecIdentity {
        try imported()[kSecImportItemIdentity as String] as! SecIdentity
    }
}

/// Runs a search and returns its status and result.
func find(_ query: [CFString: Any]) -> (status: OSStatus, result: AnyObject?) {
    var result: AnyObject?
    let status = SecItemCopyMatching(query as CFDictionary, &result)
    return (status, result)
}
