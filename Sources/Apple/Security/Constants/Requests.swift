// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// Keychain Services' keys and values for how to match, what to return, and what to use, with its names. Tests/Support/check/check-constants compares
// them with its table.

public var kSecMatchCaseInsensitive: CFString { "m_CaseInsensitive" }
public var kSecMatchDiacriticInsensitive: CFString { "m_DiacriticInsensitive" }
public var kSecMatchEmailAddressIfPresent: CFString { "m_EmailAddressIfPresent" }
public var kSecMatchIssuers: CFString { "m_Issuers" }
public var kSecMatchItemList: CFString { "m_ItemList" }
public var kSecMatchLimit: CFString { "m_Limit" }
public var kSecMatchLimitAll: CFString { "m_LimitAll" }
public var kSecMatchLimitOne: CFString { "m_LimitOne" }
public var kSecMatchPolicy: CFString { "m_Policy" }
public var kSecMatchSearchList: CFString { "m_SearchList" }
public var kSecMatchSubjectContains: CFString { "m_SubjectContains" }
public var kSecMatchSubjectEndsWith: CFString { "m_SubjectEndsWith" }
public var kSecMatchSubjectStartsWith: CFString { "m_SubjectStartsWith" }
public var kSecMatchSubjectWholeString: CFString { "m_SubjectWholeString" }
public var kSecMatchTrustedOnly: CFString { "m_TrustedOnly" }
public var kSecMatchValidOnDate: CFString { "m_ValidOnDate" }
public var kSecMatchWidthInsensitive: CFString { "m_WidthInsensitive" }
public var kSecReturnAttributes: CFString { "r_Attributes" }
public var kSecReturnData: CFString { "r_Data" }
public var kSecReturnPersistentRef: CFString { "r_PersistentRef" }
public var kSecReturnRef: CFString { "r_Ref" }
public var kSecValueData: CFString { "v_Data" }
public var kSecValuePersistentRef: CFString { "v_PersistentRef" }
public var kSecValueRef: CFString { "v_Ref" }
public var kSecUseAuthenticationContext: CFString { "u_AuthCtx" }
public var kSecUseAuthenticationUI: CFString { "u_AuthUI" }
public var kSecUseAuthenticationUIAllow: CFString { "u_AuthUIA" }
public var kSecUseAuthenticationUIFail: CFString { "u_AuthUIF" }
public var kSecUseAuthenticationUISkip: CFString { "u_AuthUIS" }
public var kSecUseDataProtectionKeychain: CFString { "nleg" }
public var kSecUseItemList: CFString { "u_ItemList" }
public var kSecUseKeychain: CFString { "u_Keychain" }
public var kSecUseNoAuthenticationUI: CFString { "u_NoAuthUI" }
public var kSecUseOperationPrompt: CFString { "u_OpPrompt" }
public var kSecSharedPassword: CFString { "spwd" }
