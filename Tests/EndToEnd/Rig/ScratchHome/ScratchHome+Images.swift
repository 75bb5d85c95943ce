import Testing

/// An image that takes no time to make or to copy.
extension ScratchHome {
    /// The names of an image in a folder and of the folder's blobs.
    struct Image {
        let folder: String

        /// As skopeo takes it.
        var name: String { "oci:\(folder):latest" }

        /// All that the image is made of, by digest.
        func blobs() throws -> [String: [UInt8]] { try Snapshot("\(folder)/blobs").contents }
    }

    /// Makes the image: an OCI layout with one layer, with one file in it.
    func makeImage() async throws -> Image {
        let image = Image(folder: "\(path)/image")
        try await shell(
            """
            mkdir -p "$1/blobs/sha256" "$1.layer"
            cd "$1"
            digest() { echo "sha256:$(sha256sum "$1" | cut -d ' ' -f 1)"; }
            # keep FILE TYPE: makes it a blob, and prints what refers to one.
            keep() {
                printf '"mediaType":"application/vnd.oci.image.%s","digest":"%s","size":%d' \\
                    "$2" "$(digest "$1")" "$(wc -c <"$1")"
                mv "$1" "blobs/sha256/$(digest "$1" | cut -d : -f 2)"
            }
            echo 'a note' >"$1.layer/notes.txt"
            tar --create --mtime=@0 --owner=0 --group=0 --directory "$1.layer" --file layer notes.txt
            content=$(digest layer)
            gzip --no-name layer
            layer=$(keep layer.gz layer.v1.tar+gzip)
            cat >config <<END
            {"architecture":"amd64","os":"linux","rootfs":{"type":"layers","diff_ids":["$content"]}}
            END
            config=$(keep config config.v1+json)
            type=application/vnd.oci.image.manifest.v1+json
            cat >manifest <<END
            {"schemaVersion":2,"mediaType":"$type","config":{$config},"layers":[{$layer}]}
            END
            manifest=$(keep manifest manifest.v1+json)
            cat >index.json <<END
            {"schemaVersion":2,"manifests":[{$manifest,
            "annotations":{"org.opencontainers.image.ref.name":"latest"}}]}
            END
            echo '{"imageLayoutVersion":"1.0.0"}' >oci-layout
            """, image.folder)
        return image
    }

    /// Copies an image to a registry, which has to succeed.
    func push(
        _ image: Image, to registry: Registry, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        try await succeeds(
            .skopeo, ["copy", "--dest-tls-verify=false", image.name, registry.image()],
            sourceLocation: sourceLocation)
    }
}
