import KeychainServices

@testable import DockerCredential
@testable import GitCredential

/// Servers' addresses as registries and git write them: what is taken apart is the same text when it is
/// put together, two addresses that look different are not taken for one, and an item gives back the
/// address it was made of.
enum AddressTarget: FuzzTarget {
    static let name = "address"

    static func run(_ input: [UInt8]) {
        // Two addresses, for what is said of pairs.
        let parts = input.split(separator: 0x0A, maxSplits: 1, omittingEmptySubsequences: false)
        let first = ByteString(Array(parts.first ?? []))
        checkOne(first)
        if parts.count > 1 {
            checkPair(first, ByteString(Array(parts[1])))
        }
    }

    private static func checkOne(_ text: ByteString) {
        let url = RegistryURL(text)
        check(Match(stored: url, asked: url) == .exact, "a URL does not match itself")
        if let parts = url.parts {
            check(!parts.host.isEmpty, "an address has no host")
            check(parts.port != 0, "an address has the port 0")
            check(
                !parts.host.bytes.contains { $0 <= 0x20 || "/@?#%\\".utf8.contains($0) },
                "a host has a character of another part")
        }
        if !text.isEmpty {
            let item = url.newItem(account: "alice")
            check(ServerURL.text(item) == text, "an item's URL is not the one it was made of")
            check(RegistryURL(item)?.text == text, "a URL is not that of its item")
        }
        let host = HostAndPort(text)
        let joined = host.server.bytes + (host.port == 0 ? [] : Array(":\(host.port)".utf8))
        check(joined == text.bytes, "server and port are not the host")
    }

    private static func checkPair(_ first: ByteString, _ second: ByteString) {
        let (one, other) = (RegistryURL(first), RegistryURL(second))
        check(
            (one.place == other.place) == (first == second),
            "two URLs are one item, or one is two")
        check(
            (HostAndPort(first) == HostAndPort(second)) == (first == second),
            "two hosts are one, or one is two")
        let match = Match(stored: one, asked: other)
        check(
            (match == nil) == (Match(stored: other, asked: one) == nil),
            "a URL answers for another, and not the other way round")
        guard match != nil, first != second, let parts = one.parts, let others = other.parts else {
            return
        }
        let hosts = [parts.host.lowercasedASCII, others.host.lowercasedASCII]
        check(
            hosts[0] == hosts[1]
                || hosts.allSatisfy { ["docker.io", "index.docker.io"].contains($0.description) },
            "a host answers for another")
    }
}
