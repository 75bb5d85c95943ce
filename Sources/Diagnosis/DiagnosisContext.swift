internal import Configuration
internal import KeychainServices
internal import LinuxSystem
internal import ToolSetup

/// What the checks look at. It is gathered once, so that all of them see the same.
struct DiagnosisContext: Sendable {
    /// The environment that tools run in.
    let environment: SetupEnvironment
    /// Where lanyard's files lie, nil if that can't be told.
    let places: Places?
    /// Why it can't be told.
    let placesFailure: KeychainError?
    /// What the user has chosen, nil if it can't be read.
    let configuration: Configuration?
    /// Why it can't be read.
    let configurationFailure: KeychainError?
    /// The tools that are installed.
    let programs: [ToolProgram]
    /// The time now.
    let now: Timestamp
    let states = SealedKeychainStates()

    /// Of this process.
    init() async {
        let variables = SetupEnvironment.ofProcess()
        var places: Places?
        var placesFailure: KeychainError?
        do throws(KeychainError) {
            places = try Places()
        } catch {
            placesFailure = error
        }
        self.places = places
        self.placesFailure = placesFailure
        var configuration: Configuration?
        var configurationFailure: KeychainError?
        if let places {
            do throws(KeychainError) {
                configuration = try Configuration(places: places)
            } catch {
                configurationFailure = error
            }
        }
        self.configuration = configuration
        self.configurationFailure = configurationFailure
        environment =
            (try? SetupEnvironment())
            ?? SetupEnvironment(variables: variables, stateFolder: "/nonexistent")
        programs = await ToolProgram.installed(environment)
        now = SystemCalls.now()
    }

    /// Whether a tool is installed.
    func has(_ names: ToolProgram.Name...) -> Bool {
        programs.contains { names.contains($0.name) }
    }

    /// The home folder, nil if it is not known.
    var home: String? { try? environment.home() }
}
