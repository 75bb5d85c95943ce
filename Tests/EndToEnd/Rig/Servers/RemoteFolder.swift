import Foundation
import Testing

/// A folder that a file system of another machine has, as sshfs or a server of files would: for the kernel it
/// is FUSE, and what serves it is a program in Python.
enum RemoteFolder {
    /// Runs `lanyard doctor` where the keychain's folder is such a one.
    ///
    /// - Parameter hasLocks: Whether the server knows of locks.
    static func doctor(_ home: ScratchHome, hasLocks: Bool) async throws -> [UInt8] {
        let answer = "\(home.path)/answer-\(hasLocks)"
        try await home.shell(
            """
            exec unshare --mount --propagation private sh -euc "$@"
            """,
            """
            mkdir "$1"
            cp -a "$LANYARD_HOME/data" "$1/kept"
            python3 -c "$3" "$1/kept" "$LANYARD_HOME/data" "$4" >"$1/state" &
            until grep -q mounted "$1/state"; do kill -0 $! && sleep 0.05; done
            lanyard doctor --json >"$2" || :
            umount "$LANYARD_HOME/data"
            wait
            """, "sh", "\(home.path)/remote-\(hasLocks)", answer, server,
            hasLocks ? "locks" : "no locks")
        return try home.read(answer)
    }

    /// Whether this machine has such folders.
    static func canBeMounted() async throws -> Bool {
        let home = try ScratchHome()
        try await home.set("x", secret: "s")
        return try await doctor(home, hasLocks: true).count > 0
    }

    private static let server = """
        import ctypes, os, struct, sys
        # Serves the files of a folder, for reading. Without locks it answers as a server that has none.
        folder, place, locks = sys.argv[1], sys.argv[2], sys.argv[3] == "locks"
        device = os.open("/dev/fuse", os.O_RDWR)
        libc = ctypes.CDLL(None, use_errno=True)
        options = f"fd={device},rootmode=40000,user_id=0,group_id=0,allow_other,default_permissions"
        if libc.mount(b"lanyard-test", place.encode(), b"fuse", 6, options.encode()) != 0:
            sys.exit(os.strerror(ctypes.get_errno()))
        print("mounted", flush=True)
        paths = {1: folder}
        def attributes(node):
            s = os.lstat(paths[node])
            return struct.pack("<QQQQQQIIIIIIIIII", node, s.st_size, (s.st_size + 511) // 512, int(s.st_atime),
                               int(s.st_mtime), int(s.st_ctime), 0, 0, 0, s.st_mode, s.st_nlink, s.st_uid,
                               s.st_gid, 0, 4096, 0)
        def lookup(node, name):
            path = os.path.join(paths[node], name)
            os.lstat(path)
            child = next((n for n, p in paths.items() if p == path), len(paths) + 1)
            paths[child] = path
            return struct.pack("<QQQQII", child, 0, 0, 0, 0, 0) + attributes(child)
        def entries(node, offset):
            out = b""
            for number, name in enumerate([".", ".."] + sorted(os.listdir(paths[node])), 1):
                entry = struct.pack("<QQII", 2**32 + number, number, len(name), 0) + name.encode()
                if number > offset:
                    out += entry + bytes(-len(entry) % 8)
            return out[:4096]
        def answer(operation, node, body):
            if operation == 26:  # INIT: version 7.31, with locks of POSIX where it has any
                return struct.pack("<IIIIHHIIHHI28x", 7, 31, 65536, 0 if locks else 2, 12, 10, 65536, 1, 16, 0, 0)
            if operation == 1:  # LOOKUP
                return lookup(node, body.rstrip(b"\\0").decode())
            if operation == 3:  # GETATTR
                return struct.pack("<QII", 0, 0, 0) + attributes(node)
            if operation in (14, 27):  # OPEN, OPENDIR
                return struct.pack("<QII", 0, 0, 0)
            if operation == 15:  # READ
                _, offset, size = struct.unpack_from("<QQI", body)
                with open(paths[node], "rb") as file:
                    file.seek(offset)
                    return file.read(size)
            if operation == 28:  # READDIR
                return entries(node, struct.unpack_from("<QQ", body)[1])
            if operation == 17:  # STATFS
                return struct.pack("<QQQQQIIII24x", 2**20, 2**20, 2**20, 2**20, 2**20, 4096, 255, 4096, 0)
            if operation in (18, 25, 29, 34):  # FLUSH, RELEASE, RELEASEDIR, ACCESS
                return b""
            # ENOLCK for GETLK, SETLK and SETLKW; ENOSYS
            raise OSError(37 if operation in (31, 32, 33) else 38, "")
        while True:
            try:
                request = os.read(device, 1 << 20)
            except OSError as error:
                if error.errno == 19:  # ENODEV: unmounted
                    break
                continue
            _, operation, unique, node = struct.unpack_from("<IIQQ", request)
            if operation in (2, 36, 42):  # FORGET, INTERRUPT, BATCH_FORGET
                continue
            try:
                number, data = 0, answer(operation, node, request[40:])
            except OSError as error:
                number, data = -error.errno, b""
            os.write(device, struct.pack("<IiQ", 16 + len(data), number, unique) + data)
        """
}

extension Need {
    static let remoteFolders = Need(missing: "there is no python3, or FUSE is not permitted here") {
        try await RemoteFolder.canBeMounted()
    }
}
