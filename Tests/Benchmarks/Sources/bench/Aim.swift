/// What a figure is to be at most.
struct Aim {
    /// A figure that was measured.
    typealias Figure = (work: String, program: String)

    /// The work and what it is held against, as they stand in the table.
    var work: String
    var against: String
    var ours: Figure
    /// What ours is divided by; nothing where the figure itself is what counts.
    var peer: Figure?
    var limit: Double
    /// Of the limit, where the figure itself is what counts.
    var unit = Result.Unit.bytes
    /// Whether the time on processors counts, not that from start to end.
    var isOfCPU = false
    /// How many logins each does it for, where it is the time for one that counts.
    var logins: (ours: Double, peer: Double) = (1, 1)

    /// The aim's row: the figures, their ratio, and whether the aim is met.
    func row(_ results: [Result]) -> [String] {
        func find(_ figure: Figure) -> Result? {
            var found = results.last { $0.work == figure.work && $0.program == figure.program }
            if isOfCPU, let cpu = found?.cpu {
                found?.value = cpu
            }
            return found
        }
        let ours = find(ours)
        let peer = peer.flatMap(find)
        var fields = [work, against, ours?.text ?? "", peer?.text ?? ""]
        guard let our = ours?.value else {
            return fields + ["", limitText, "not measured"]
        }
        guard self.peer != nil else {
            return fields + ["", limitText, our <= limit ? "yes" : "no"]
        }
        guard let its = peer?.value else {
            return fields + ["", limitText, "not measured"]
        }
        let quotient = (our / logins.ours) / (its / logins.peer)
        fields += [ratio(quotient), limitText, quotient <= limit ? "yes" : "no"]
        return fields
    }

    private var limitText: String {
        let number = limit >= 1000 ? grouped(Int(limit)) : "\(limit)"
        return "at most \(number)" + (peer == nil ? " \(unit.rawValue)" : "")
    }
}
