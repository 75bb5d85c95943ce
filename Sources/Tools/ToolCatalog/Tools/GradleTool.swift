internal import PlainTextFormats

/// gradle, which reads passwords in its properties, and has no helper.
package enum GradleTool: CatalogTool {
    package static let name = "gradle"
    package static let plainText = [
        SecretFile(
            ".gradle/gradle.properties", .ini,
            [.secret(["*assword"]), .secret(["*Token"]), .secret(["*token"]), .secret(["*Secret"])])
    ]
    package static let moves = [FileMove(".gradle", variables: ["GRADLE_USER_HOME"])]
    package static let advice: String? =
        "lanyard import gradle, run it with lanyard exec --env ORG_GRADLE_PROJECT_NAME=gradle/NAME -- gradle, "
        + "then take it out of the file"
    package static let sources = [
        "https://docs.gradle.org/current/userguide/build_environment.html"
    ]
}
