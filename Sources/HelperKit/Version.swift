/// The version of every executable here.
public let version = "0.1.0"
