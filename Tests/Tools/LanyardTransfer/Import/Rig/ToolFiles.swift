import LanyardTransfer
import KeychainServices
import Testing
import ToolCatalog

private func profile(_ name: String, _ file: String) throws -> ProfileFile {
    let profile = try #require(ToolProfile(program: name))
    let description = try #require(profile.plainText.first { $0.path.hasSuffix(file) })
    return ProfileFile(profile, description)
}

/// Returns the format of a tool's file, of a profile's by the name of the program.
func toolFormat(_ name: String) throws -> any ImportFormat {
    switch name {
    case "npm": NpmrcFile()
    case "netrc": NetrcFile()
    case "git": GitCredentialsFile()
    case "docker": DockerConfigFile()
    case "vault": VaultTokenFile(address: "https://vault.example")
    case "cargo": CargoCredentialsFile()
    case "pypirc": PypircFile()
    case "aws": AWSCredentialsFile()
    case "uv": UVCredentialsFile()
    case "gradle": GradlePropertiesFile()
    case "terraform": TerraformCredentialsFile()
    case "nuget": NuGetConfigFile()
    case "psql": try profile("psql", ".pgpass")
    case "mysql": try profile("mysql", ".my.cnf")
    case "glab": try profile("glab", ".yml")
    case "kaggle": try profile("kaggle", "access_token")
    case "databricks": try profile("databricks", ".databrickscfg")
    case "gem": try profile("gem", ".gem/credentials")
    case "yarn": try profile("yarn", ".yml")
    case "ngrok": try profile("ngrok", ".yml")
    case "supabase": try profile("supabase", "access-token")
    case "civo": try profile("civo", ".json")
    case "gh": try profile("gh", ".yml")
    case "maven": try profile("maven", "settings.xml")
    case "nordpass": CSVFile()
    default: try profile("hcloud", ".toml")
    }
}

/// Returns what an import leaves of a file.
func rest(of text: String, without entries: [Entry]) -> String {
    let left = Set(entries.filter { $0.login == nil }.flatMap(\.ranges))
    let removed = entries.filter { $0.login != nil && left.isDisjoint(with: $0.ranges) }
    let ranges = Set(removed.flatMap(\.ranges)).sorted { $0.lowerBound < $1.lowerBound }
    return removing(ranges, from: Secret(copying: Array(text.utf8).span)).withBytes {
        ByteString(copying: $0).description
    }
}

/// Returns the texts of a file that a removal would take although they are not imported, and the secrets that stay
/// and are not named by their line or with their entry.
func unreported(in text: String, _ entries: [Entry], _ imported: String) -> [String] {
    let rest = rest(of: text, without: entries)
    var problems: [String] = []
    for match in text.matches(of: /(xx[a-z]+?xx|ss[a-z]+?ss)/)
    where !imported.contains(match.0) {
        let offset = text.utf8.distance(from: text.startIndex, to: match.range.lowerBound)
        let line = text[..<match.range.lowerBound].count { $0 == "\n" } + 1
        // The value of a setting may go on in the next line.
        let start = text[..<match.range.lowerBound].split(separator: "\n").last ?? ""
        let places = ["line \(line)"] + (start.hasPrefix("  ") ? ["line \(line - 1)"] : [])
        let isReported = entries.contains { entry in
            entry.login == nil
                && (places.contains(entry.place)
                    || entry.ranges.contains { $0.contains(offset) })
        }
        if !rest.contains(match.0) || match.0.hasPrefix("ss") && !isReported {
            problems.append("\(match.0) in line \(line)")
        }
    }
    return problems
}
