internal import CLibcrypto
internal import Glibc
public import KeychainServices

/// The rules by which a certificate is trusted.
///
///     let result = try CertificateTrust(policy: .server("example.com")).evaluate(certificate)
///
/// Nothing is fetched: revocation is not checked. The corresponding type is SecTrustRef.
public struct CertificateTrust: Sendable {
    /// What the certificate has to be good for. The corresponding type is SecPolicyRef.
    public enum Policy: Hashable, Sendable {
        /// Anything: SecPolicyCreateBasicX509.
        case basic
        /// A TLS server with a host name or an IP address, nil for any: SecPolicyCreateSSL. The certificate has the
        /// name among its alternative names: RFC 9525, section 6.3.
        case server(String?)
        /// A TLS client, with a host name or an IP address as for a server, nil for any: SecPolicyCreateSSL.
        case client(String?)
        /// Signed and encrypted e-mail.
        case email
    }

    /// The roots that are trusted.
    public enum Anchors: Sendable {
        /// The system's.
        case system
        /// These alone: SecTrustSetAnchorCertificates.
        case only([Certificate])
        /// The system's and these: SecTrustSetAnchorCertificatesOnly, false.
        case systemAnd([Certificate])
    }

    /// The result for a certificate.
    public struct Result: Sendable {
        /// Whether it is trusted.
        public let isTrusted: Bool
        /// Keychain Services' status, 0 if it is trusted.
        public let status: Status
        /// Why it is not trusted; nil if it is.
        public let reason: String?
        /// The certificate and those that lead to a root, as far as they are known.
        public let chain: [Certificate]
    }

    /// What the certificate has to be good for.
    public var policy: Policy
    /// The trusted roots.
    public var anchors: Anchors
    /// Certificates that may lead to a root.
    public var intermediates: [Certificate]
    /// When the certificate has to be valid, nil for now.
    public var date: Timestamp?

    /// Creates rules.
    public init(
        policy: Policy = .basic, anchors: Anchors = .system, intermediates: [Certificate] = [],
        date: Timestamp? = nil
    ) {
        self.policy = policy
        self.anchors = anchors
        self.intermediates = intermediates
        self.date = date
    }

    /// Evaluates a certificate.
    ///
    /// - Throws: ``Status/param`` for an invalid host name; ``Status/allocate`` if memory runs out.
    ///
    /// The corresponding function is SecTrustEvaluateWithError.
    public func evaluate(_ certificate: Certificate) throws(KeychainError) -> Result {
        Libcrypto.start()
        // Safe: all that is made here is freed here, and lives until then.
        let store = try unsafe makeStore()
        defer { unsafe X509_STORE_free(store) }
        let context = unsafe X509_STORE_CTX_new()
        defer { unsafe X509_STORE_CTX_free(context) }
        let others = unsafe lanyard_x509_stack()
        defer { unsafe lanyard_x509_stack_free(others) }
        for intermediate in intermediates {
            let copy = try X509Certificate(intermediate)
            guard unsafe X509_up_ref(copy.pointer) == 1,
                unsafe lanyard_x509_push(others, copy.pointer) == 1
            else {
                throw Libcrypto.error(.allocate)
            }
        }
        let parsed = try X509Certificate(certificate)
        try Libcrypto.check(
            unsafe X509_STORE_CTX_init(context, store, parsed.pointer, others), .allocate)
        try unsafe configure(X509_STORE_CTX_get0_param(context))
        let isVerified = unsafe X509_verify_cert(context) == 1
        let error = unsafe X509_STORE_CTX_get_error(context)
        let chain = unsafe CertificateTrust.chain(of: context) ?? [certificate]
        let failure =
            isVerified
            ? unsafe CertificateTrust.extensionFailure(X509_STORE_CTX_get0_chain(context))
            : CertificateTrust.failure(error)
        ERR_clear_error()
        withExtendedLifetime(parsed) {}
        return Result(
            isTrusted: failure == nil, status: failure?.status ?? .success, reason: failure?.reason,
            chain: chain.isEmpty ? [certificate] : chain)
    }

    /// Whether a certificate is trusted.
    public func isTrusted(_ certificate: Certificate) -> Bool {
        (try? evaluate(certificate).isTrusted) ?? false
    }

    /// Where systems have their trusted roots in one file: Debian, Fedora, Alpine and others.
    static let systemFiles = [
        "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt",
        "/etc/ssl/cert.pem", "/etc/ssl/ca-bundle.pem",
    ]

    /// The system's roots, read once: that takes as long as a thousand evaluations. Without a readable file nothing
    /// is trusted. SSL_CERT_FILE is not read: another program's setting must not change what is trusted here.
    // Safe: it is never freed, and not changed after it was read.
    private nonisolated(unsafe) static let systemStore: OpaquePointer? = {
        // Safe: as above.
        let store = unsafe X509_STORE_new()
        for file in systemFiles where unsafe access(file, R_OK) == 0 {
            _ = unsafe X509_STORE_load_file(store, file)
            ERR_clear_error()
            break
        }
        return unsafe store
    }()

    /// Returns a store with the anchors, which the caller frees.
    private func makeStore() throws(KeychainError) -> OpaquePointer? {
        // Safe: a store counts its references, also to the certificates that are added.
        let store: OpaquePointer?
        let own: [Certificate]
        switch anchors {
        case .system:
            _ = unsafe X509_STORE_up_ref(CertificateTrust.systemStore)
            return unsafe CertificateTrust.systemStore
        case .only(let certificates), .systemAnd(let certificates):
            unsafe store = X509_STORE_new()
            own = certificates
        }
        for certificate in own {
            let copy = try X509Certificate(certificate)
            _ = unsafe X509_STORE_add_cert(store, copy.pointer)
        }
        if case .systemAnd = anchors {
            for file in CertificateTrust.systemFiles where unsafe access(file, R_OK) == 0 {
                _ = unsafe X509_STORE_load_file(store, file)
                break
            }
        }
        ERR_clear_error()
        return unsafe store
    }

    private func configure(_ parameters: OpaquePointer?) throws(KeychainError) {
        // Safe: the parameters belong to the caller's context; texts are copied.
        if let date {
            // Certificates have dates from year 0 to 9999.
            let seconds = min(max(date.secondsSinceEpoch, -62_167_219_200), 253_402_300_799)
            unsafe X509_VERIFY_PARAM_set_time(parameters, Int(seconds))
        }
        // An anchor need not be a root. An issuer can demand a policy of the certificates below it. Keys of less
        // than 112 bits of security are refused, and SHA-1.
        _ = unsafe X509_VERIFY_PARAM_set_flags(
            parameters, UInt(X509_V_FLAG_PARTIAL_CHAIN | X509_V_FLAG_POLICY_CHECK))
        // Any policy that all issuers have will do; without this none would.
        try Libcrypto.check(
            unsafe X509_VERIFY_PARAM_add0_policy(parameters, OBJ_nid2obj(NID_any_policy)),
            .allocate)
        unsafe X509_VERIFY_PARAM_set_auth_level(parameters, 2)
        unsafe X509_VERIFY_PARAM_set_depth(parameters, 10)
        let purpose: Int32?
        var host: String?
        switch policy {
        case .basic: purpose = nil
        case .server(let name): (purpose, host) = (X509_PURPOSE_SSL_SERVER, name)
        case .client(let name): (purpose, host) = (X509_PURPOSE_SSL_CLIENT, name)
        case .email: purpose = X509_PURPOSE_SMIME_SIGN
        }
        if let host {
            try unsafe configure(parameters, host: host)
        }
        if let purpose {
            try Libcrypto.check(
                unsafe X509_VERIFY_PARAM_set_purpose(parameters, purpose), .param)
        }
    }

    /// Sets the host name or the address that the certificate has to be for.
    private func configure(
        _ parameters: OpaquePointer?, host: String
    ) throws(KeychainError) {
        // A dot may be a part of a Character: a byte is removed.
        let name =
            host.utf8.last == UInt8(ascii: ".")
            ? String(decoding: host.utf8.dropLast(), as: UTF8.self) : host
        // libcrypto takes no name for any host, and a dot at the beginning for any host of a domain.
        guard let first = name.utf8.first, first != UInt8(ascii: "."), !name.utf8.contains(0) else {
            throw KeychainError(.param, "invalid host name")
        }
        // Safe: the parameters belong to the caller's context; texts are copied.
        if unsafe X509_VERIFY_PARAM_set1_ip_asc(parameters, name) == 1 {
            return
        }
        ERR_clear_error()
        unsafe X509_VERIFY_PARAM_set_hostflags(
            parameters,
            UInt32(X509_CHECK_FLAG_NEVER_CHECK_SUBJECT | X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS))
        try Libcrypto.check(
            unsafe X509_VERIFY_PARAM_set1_host(parameters, name, 0), .param, "invalid host name")
    }

    private static func chain(of context: OpaquePointer?) -> [Certificate]? {
        var chain: [Certificate] = []
        // Safe: the chain belongs to the caller's context.
        let found = unsafe X509_STORE_CTX_get0_chain(context)
        guard unsafe found != nil else {
            return nil
        }
        while let next = unsafe lanyard_x509_at(found, Int32(chain.count)) {
            let der = try? unsafe Libcrypto.encoding { unsafe i2d_X509(next, $0) }
            guard let certificate = der.flatMap({ try? Certificate(der: $0.span) }) else {
                return nil
            }
            chain.append(certificate)
        }
        return chain
    }

    /// Returns why the extensions of a chain's certificates are refused, nil if they are not: libcrypto reads the
    /// first extension of a type, and most purposes of a certificate with an invalid one.
    private static func extensionFailure(
        _ chain: OpaquePointer?
    ) -> (status: Status, reason: String)? {
        var index: Int32 = 0
        // Safe: the chain belongs to the caller's context, and the extensions to its certificates.
        while let certificate = unsafe lanyard_x509_at(chain, index) {
            let count = unsafe X509_get_ext_count(certificate)
            for place in 0..<count {
                let type = unsafe X509_EXTENSION_get_object(X509_get_ext(certificate, place))
                guard unsafe X509_get_ext_by_OBJ(certificate, type, place) == -1 else {
                    return (.duplicateExtension, "a certificate has an extension twice")
                }
            }
            guard unsafe X509_get_extension_flags(certificate) & UInt32(EXFLAG_INVALID) == 0 else {
                return (.unknownExtension, "a certificate has an invalid extension")
            }
            index += 1
        }
        return nil
    }

    private static func failure(_ error: Int32) -> (status: Status, reason: String) {
        switch error {
        case X509_V_ERR_CERT_HAS_EXPIRED: (.certificateExpired, "a certificate has expired")
        case X509_V_ERR_CERT_NOT_YET_VALID:
            (.certificateNotValidYet, "a certificate is not valid yet")
        case X509_V_ERR_HOSTNAME_MISMATCH, X509_V_ERR_IP_ADDRESS_MISMATCH:
            (.hostNameMismatch, "the certificate is for another host")
        case X509_V_ERR_INVALID_PURPOSE:
            (.invalidExtendedKeyUsage, "the certificate is for another purpose")
        case X509_V_ERR_INVALID_CA:
            (.noBasicConstraintsCA, "an issuer may not sign certificates")
        case X509_V_ERR_PATH_LENGTH_EXCEEDED:
            (.pathLengthConstraintExceeded, "an issuer may not have so many issuers below it")
        case X509_V_ERR_PERMITTED_VIOLATION, X509_V_ERR_EXCLUDED_VIOLATION:
            (.certificateNameNotAllowed, "an issuer may not sign for this name")
        case X509_V_ERR_UNHANDLED_CRITICAL_EXTENSION:
            (.unknownCriticalExtension, "a certificate has an unknown critical extension")
        case X509_V_ERR_NO_EXPLICIT_POLICY:
            (.invalidPolicyIdentifiers, "a certificate lacks a policy that an issuer demands")
        case X509_V_ERR_INVALID_POLICY_EXTENSION:
            (.invalidPolicyIdentifiers, "a certificate has an invalid policy")
        case X509_V_ERR_EE_KEY_TOO_SMALL, X509_V_ERR_CA_KEY_TOO_SMALL:
            (.unsupportedKeySize, "a key is too small")
        case X509_V_ERR_CA_MD_TOO_WEAK:
            (.notTrusted, "a signature is too weak")
        case X509_V_ERR_CERT_SIGNATURE_FAILURE:
            (.verifyFailed, "a signature is wrong")
        case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT:
            (.notTrusted, "it is signed with its own key, and not trusted itself")
        case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN:
            (.notTrusted, "its root is not trusted")
        case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT,
            X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY,
            X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
            (.notTrusted, "the certificate of an issuer is missing")
        default: (.notTrusted, "not trusted")
        }
    }
}

extension Status {
    /// A certificate has expired: errSecCertificateExpired
    public static let certificateExpired = Status(rawValue: -67818)
    /// A certificate is not valid yet: errSecCertificateNotValidYet
    public static let certificateNotValidYet = Status(rawValue: -67819)
    /// The certificate is for another host: errSecHostNameMismatch
    public static let hostNameMismatch = Status(rawValue: -67602)
    /// The certificate is for another purpose: errSecInvalidExtendedKeyUsage
    public static let invalidExtendedKeyUsage = Status(rawValue: -67609)
    /// An issuer may not sign certificates: errSecNoBasicConstraintsCA
    public static let noBasicConstraintsCA = Status(rawValue: -67605)
    /// The certificate is not trusted: errSecNotTrusted
    public static let notTrusted = Status(rawValue: -67843)
    /// A signature is wrong: errSecVerifyFailed
    public static let verifyFailed = Status(rawValue: -67808)
    /// An issuer has more issuers below it than it may: errSecPathLengthConstraintExceeded
    public static let pathLengthConstraintExceeded = Status(rawValue: -67611)
    /// An issuer may not sign for a name: errSecCertificateNameNotAllowed
    public static let certificateNameNotAllowed = Status(rawValue: -67900)
    /// A certificate has an unknown critical extension: errSecUnknownCriticalExtensionFlag
    public static let unknownCriticalExtension = Status(rawValue: -67603)
    /// A certificate has an invalid extension: errSecUnknownCertExtension
    public static let unknownExtension = Status(rawValue: -67618)
    /// A certificate has an extension twice: errSecCertificateDuplicateExtension
    public static let duplicateExtension = Status(rawValue: -67903)
    /// A certificate lacks a policy that an issuer demands, or has an invalid one: errSecInvalidPolicyIdentifiers
    public static let invalidPolicyIdentifiers = Status(rawValue: -67835)
    /// The password of a PKCS #12 file is wrong: errSecPkcs12VerifyFailure
    public static let pkcs12VerifyFailure = Status(rawValue: -25264)
}
