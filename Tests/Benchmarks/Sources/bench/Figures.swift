/// A number with this many digits behind the point.
func decimal(_ number: Double, _ places: Int) -> String {
    var scale = 1
    for _ in 0..<places {
        scale *= 10
    }
    let scaled = Int((number.magnitude * Double(scale)).rounded())
    let sign = number < 0 && scaled > 0 ? "-" : ""
    guard places > 0 else {
        return sign + grouped(scaled)
    }
    let fraction = String(scaled % scale)
    let zeros = String(repeating: "0", count: places - fraction.utf8.count)
    return "\(sign)\(grouped(scaled / scale)).\(zeros)\(fraction)"
}

/// A number with commas between the thousands.
func grouped(_ number: Int) -> String {
    var text = ""
    for (position, digit) in String(number.magnitude).reversed().enumerated() {
        text = (position > 0 && position % 3 == 0 ? "\(digit)," : "\(digit)") + text
    }
    return (number < 0 ? "-" : "") + text
}

/// A ratio with three digits that say something, and at least one behind the point.
func ratio(_ number: Double) -> String {
    let places = number >= 10 ? 1 : number >= 1 ? 2 : number >= 0.1 ? 3 : number >= 0.01 ? 4 : 5
    return decimal(number, places)
}

/// The number that a quarter of some numbers is below.
func lowerQuartile(_ numbers: [Double]) -> Double {
    numbers.sorted()[numbers.count / 4]
}

/// The middle one of some numbers.
func median(_ numbers: [Double]) -> Double {
    numbers.sorted()[numbers.count / 2]
}
