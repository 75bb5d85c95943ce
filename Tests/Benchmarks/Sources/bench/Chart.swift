import Glibc

/// Lines over a number of logins, both axes logarithmic.
struct Chart {
    /// A line, and how it looks.
    struct Line {
        var name: String
        /// How it is called in the style sheet.
        var style: String
        /// Milliseconds by the number of logins, ascending.
        var points: [(logins: Int, value: Double)]
    }

    var title: String
    var subtitle: String
    var lines: [Line]
    /// A time that does not depend on the number of logins.
    var floor: (name: String, value: Double)?

    /// The time of git get against the number of logins, from what was measured.
    static func ofGet(_ results: [Result]) -> Chart {
        func points(_ program: String) -> [(logins: Int, value: Double)] {
            (0...6).compactMap { power in
                let count = (0..<power).reduce(1) { product, _ in product * 10 }
                let work = Result.work("git get", count)
                let result = results.last { $0.work == work && $0.program == program }
                return result?.value.map { (count, $0) }
            }
        }
        return Chart(
            title: "git get: time against number of logins",
            subtitle: "whole processes, median, milliseconds; both axes logarithmic",
            lines: [
                Line(name: "Lanyard", style: "a", points: points(GitHelpers.name)),
                Line(
                    name: "git-credential-store", style: "b",
                    points: points("git-credential-store")),
                Line(
                    name: "git-credential-libsecret", style: "c",
                    points: points("git-credential-libsecret")),
            ].filter { !$0.points.isEmpty },
            floor: points("empty C program").first.map { ("empty C program", $0.value) })
    }

    /// What is drawn in which colour.
    private struct Colours {
        var back: String
        var ink: String
        var dim: String
        var grid: String
        /// By the lines' styles.
        var lines: KeyValuePairs<String, String>

        static let light = Colours(
            back: "#ffffff", ink: "#1f2328", dim: "#59636e", grid: "#e4e7ea",
            lines: ["a": "#0757ba", "b": "#bc4c00", "c": "#1a7f37"])
        static let dark = Colours(
            back: "#0d1117", ink: "#f0f6fc", dim: "#9198a1", grid: "#2a3038",
            lines: ["a": "#58a6ff", "b": "#f0883e", "c": "#3fb950"])

        /// The rules of the style sheet.
        var rules: String {
            """
            .back { fill: \(back); }
            text { fill: \(ink); }
            .dim { fill: \(dim); }
            .grid { stroke: \(grid); }
            .axis, .floor { stroke: \(dim); }

            """
                + lines.map { style, colour in
                    """
                    .line.\(style) { stroke: \(colour); }
                    .dot.\(style) { fill: \(colour); stroke: \(back); }
                    text.\(style) { fill: \(colour); }
                    """
                }.joined(separator: "\n")
        }
    }

    // MARK: Places

    private let left = 72.0
    private let right = 560.0
    private let top = 100.0
    private let bottom = 420.0

    /// What is marked on the axis of time: 1, 2 and 5 of each power of ten, around all values.
    private var ticks: [Double] {
        let values = lines.flatMap { $0.points.map(\.value) } + (floor.map { [$0.value] } ?? [])
        guard let least = values.min(), let most = values.max(), least > 0 else {
            return [1, 10]
        }
        let all = (-3...6).flatMap { power in
            [1.0, 2, 5].map { $0 * pow(10, Double(power)) }
        }
        let first = all.lastIndex { $0 < least * 0.95 } ?? 0
        let last = all.firstIndex { $0 >= most } ?? all.count - 1
        return Array(all[first...max(last, first + 1)])
    }

    private func x(_ logins: Int) -> Double {
        left + (right - left) * log10(Double(logins)) / 6
    }

    private func y(_ value: Double) -> Double {
        let low = log10(ticks.first ?? 1)
        let high = log10(ticks.last ?? 10)
        return bottom - (bottom - top) * (log10(value) - low) / (high - low)
    }

    // MARK: Drawing

    /// The whole picture; it follows the reader's choice of light or dark.
    var svg: String {
        ([head] + grid + axes + lines.flatMap(drawing) + floorLine + labels + ["</svg>", ""])
            .joined(separator: "\n")
    }

    private var head: String {
        """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 800 480" width="800" height="480" role="img">
        <title>\(title)</title>
        <desc>\(description)</desc>
        <style>
        text { font: 13px system-ui, -apple-system, "Segoe UI", sans-serif; }
        .title { font-size: 17px; font-weight: 600; }
        .end { text-anchor: end; }
        .middle { text-anchor: middle; }
        .floor { stroke-dasharray: 2 4; }
        .line { fill: none; stroke-width: 2.5; stroke-linejoin: round; stroke-linecap: round; }
        .line.b { stroke-dasharray: 8 5; }
        .line.c { stroke-dasharray: 2 5; }
        .dot { stroke-width: 1.5; }
        text.a, text.b, text.c { font-weight: 600; }
        \(Colours.light.rules)
        @media (prefers-color-scheme: dark) {
        \(Colours.dark.rules)
        }
        </style>
        <rect class="back" width="800" height="480"/>
        <text class="title" x="24" y="34">\(title)</text>
        <text class="dim" x="24" y="56">\(subtitle)</text>
        """
    }

    /// The figures for whoever can't see the picture.
    private var description: String {
        lines.map { line in
            let points = line.points.map { "\(grouped($0.logins)): \(time($0.value))" }
            return "\(line.name): \(points.joined(separator: "; "))."
        }.joined(separator: " ")
    }

    private var grid: [String] {
        ticks.flatMap { tick in
            [
                #"<path class="grid" d="M\#(at(left)) \#(at(y(tick)))H\#(at(right))"/>"#,
                text(
                    tick < 1 ? "\(tick)" : grouped(Int(tick)), left - 10, y(tick) + 4.5, "dim end"),
            ]
        }
    }

    private var axes: [String] {
        let powers = (0...6).flatMap { power in
            let count = Int(pow(10, Double(power)))
            return [
                #"<path class="axis" d="M\#(at(x(count))) \#(at(bottom))v5"/>"#,
                text(grouped(count), x(count), bottom + 22, "dim middle"),
            ]
        }
        return powers + [
            #"<path class="axis" d="M\#(at(left)) \#(at(bottom))H\#(at(right))"/>"#,
            text("logins stored", (left + right) / 2, bottom + 44, "dim middle"),
            text("ms", left - 10, top - 16, "dim end"),
        ]
    }

    private func drawing(_ line: Line) -> [String] {
        let path = line.points.map { "\(at(x($0.logins))) \(at(y($0.value)))" }
        let dots = line.points.map { point in
            #"<circle class="dot \#(line.style)" cx="\#(at(x(point.logins)))""#
                + #" cy="\#(at(y(point.value)))" r="4.5"/>"#
        }
        return [#"<path class="line \#(line.style)" d="M\#(path.joined(separator: "L"))"/>"#] + dots
    }

    private var floorLine: [String] {
        guard let floor else {
            return []
        }
        return [
            #"<path class="floor" d="M\#(at(left)) \#(at(y(floor.value)))H\#(at(right))"/>"#,
            text("\(floor.name) \(time(floor.value))", right + 12, y(floor.value) + 4.5, "dim"),
        ]
    }

    /// What each line is called, with its last figure: behind its end, or above it where it ends early.
    private var labels: [String] {
        lines.compactMap { line in
            guard let last = line.points.last else {
                return nil
            }
            let label = "\(line.name) \(time(last.value))"
            return last.logins == 1_000_000
                ? text(label, right + 12, y(last.value) + 4.5, line.style)
                : text(label, x(last.logins), y(last.value) - 12, "\(line.style) end")
        }
    }

    private func text(_ text: String, _ x: Double, _ y: Double, _ style: String) -> String {
        #"<text class="\#(style)" x="\#(at(x))" y="\#(at(y))">\#(text)</text>"#
    }

    private func time(_ value: Double) -> String {
        decimal(value, value < 10 ? 1 : 0) + " ms"
    }

    private func at(_ place: Double) -> String {
        decimal(place, 1)
    }
}
