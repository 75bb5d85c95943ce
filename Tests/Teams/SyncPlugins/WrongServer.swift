import Foundation

/// A server on a port of the loopback that never answers, or without an end.
final class WrongServer {
    private let socket: Int32
    let port: UInt16

    /// Makes a server.
    ///
    /// - Parameters:
    ///   - first: What each client gets at first.
    ///   - rest: What it gets again and again; nothing if it is empty.
    init(sending first: String = "", then rest: String = "") {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        self.socket = socket
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = bind(socket, $0, size)
                _ = listen(socket, 1)
                _ = getsockname(socket, $0, &size)
            }
        }
        port = UInt16(bigEndian: address.sin_port)
        guard !rest.isEmpty else {
            return
        }
        Thread.detachNewThread {
            while case let client = accept(socket, nil, nil), client >= 0 {
                Thread.detachNewThread {
                    func send(_ text: String) -> Bool {
                        var text = text
                        return text.withUTF8 {
                            Glibc.send(
                                client, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                                == $0.count
                        }
                    }
                    _ = send(first)
                    while send(rest) {}
                    close(client)
                }
            }
        }
    }

    deinit {
        shutdown(socket, Int32(SHUT_RDWR))
        close(socket)
    }
}
