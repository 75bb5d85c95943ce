/// Measures the programs that a tool starts for each login, as they are installed.
func measureSizes() {
    for name in ["git-credential-lanyard", "docker-credential-lanyard"] {
        let size = size(of: "\(Options.bin)/\(name)")
        Result.report([
            Result(
                work: "size of a protocol helper", program: name, value: size.map(Double.init),
                unit: .bytes)
        ])
    }
}
