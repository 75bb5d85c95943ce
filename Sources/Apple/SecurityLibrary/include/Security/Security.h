/* Keychain Services' functions for passwords, on Linux, for C: link with -lLanyardSecurity.
 *
 * Names, parameters and results are those of Apple's SecKeychain functions. */
#ifndef LANYARD_SECURITY_H
#define LANYARD_SECURITY_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef int32_t OSStatus;
typedef uint32_t OSType;
typedef uint32_t FourCharCode;
typedef unsigned char Boolean;
/* Any reference. */
typedef const void *CFTypeRef;
/* A text. */
typedef const struct OpaqueCFStringRef *CFStringRef;
typedef long CFIndex;
typedef uint32_t CFStringEncoding;
enum { kCFStringEncodingUTF8 = 0x08000100 };
/* A keychain, and an item in one: release them with CFRelease. */
typedef struct OpaqueSecKeychainRef *SecKeychainRef;
typedef struct OpaqueSecKeychainItemRef *SecKeychainItemRef;
/* Always NULL: access groups separate programs. */
typedef struct OpaqueSecAccessRef *SecAccessRef;

typedef FourCharCode SecProtocolType;
typedef FourCharCode SecAuthenticationType;
typedef FourCharCode SecItemClass;
typedef OSType SecKeychainAttrType;

/* An attribute's bytes: text, or a number in the machine's byte order. A date is "YYYYMMDDhhmmssZ" and a NUL. */
typedef struct SecKeychainAttribute {
    SecKeychainAttrType tag;
    uint32_t length;
    void *data;
} SecKeychainAttribute;

typedef struct SecKeychainAttributeList {
    uint32_t count;
    SecKeychainAttribute *attr;
} SecKeychainAttributeList;

/* Bits: 1 unlocked, 2 readable, 4 writable. */
typedef uint32_t SecKeychainStatus;

enum { SEC_KEYCHAIN_SETTINGS_VERS1 = 1 };
typedef struct SecKeychainSettings {
    uint32_t version;
    Boolean lockOnSleep;
    Boolean useLockInterval;
    uint32_t lockInterval;
} SecKeychainSettings;
enum { kSecUnlockStateStatus = 1, kSecReadPermStatus = 2, kSecWritePermStatus = 4 };

/* Four characters as a number. */
#define LANYARD_CODE(a, b, c, d) \
    ((FourCharCode)(a) << 24 | (FourCharCode)(b) << 16 | (FourCharCode)(c) << 8 | (FourCharCode)(d))

#define kSecInternetPasswordItemClass LANYARD_CODE('i', 'n', 'e', 't')
#define kSecGenericPasswordItemClass LANYARD_CODE('g', 'e', 'n', 'p')

/* The attributes' tags. */
#define kSecCreationDateItemAttr LANYARD_CODE('c', 'd', 'a', 't')
#define kSecModDateItemAttr LANYARD_CODE('m', 'd', 'a', 't')
#define kSecDescriptionItemAttr LANYARD_CODE('d', 'e', 's', 'c')
#define kSecCommentItemAttr LANYARD_CODE('i', 'c', 'm', 't')
#define kSecCreatorItemAttr LANYARD_CODE('c', 'r', 't', 'r')
#define kSecTypeItemAttr LANYARD_CODE('t', 'y', 'p', 'e')
#define kSecLabelItemAttr LANYARD_CODE('l', 'a', 'b', 'l')
#define kSecInvisibleItemAttr LANYARD_CODE('i', 'n', 'v', 'i')
#define kSecNegativeItemAttr LANYARD_CODE('n', 'e', 'g', 'a')
#define kSecAccountItemAttr LANYARD_CODE('a', 'c', 'c', 't')
#define kSecServiceItemAttr LANYARD_CODE('s', 'v', 'c', 'e')
#define kSecGenericItemAttr LANYARD_CODE('g', 'e', 'n', 'a')
#define kSecSecurityDomainItemAttr LANYARD_CODE('s', 'd', 'm', 'n')
#define kSecServerItemAttr LANYARD_CODE('s', 'r', 'v', 'r')
#define kSecAuthenticationTypeItemAttr LANYARD_CODE('a', 't', 'y', 'p')
#define kSecPortItemAttr LANYARD_CODE('p', 'o', 'r', 't')
#define kSecPathItemAttr LANYARD_CODE('p', 'a', 't', 'h')
#define kSecProtocolItemAttr LANYARD_CODE('p', 't', 'c', 'l')

/* The protocols; any in a search, none in a new item. */
#define kSecProtocolTypeAny 0u
#define kSecProtocolTypeFTP LANYARD_CODE('f', 't', 'p', ' ')
#define kSecProtocolTypeFTPAccount LANYARD_CODE('f', 't', 'p', 'a')
#define kSecProtocolTypeHTTP LANYARD_CODE('h', 't', 't', 'p')
#define kSecProtocolTypeIRC LANYARD_CODE('i', 'r', 'c', ' ')
#define kSecProtocolTypeNNTP LANYARD_CODE('n', 'n', 't', 'p')
#define kSecProtocolTypePOP3 LANYARD_CODE('p', 'o', 'p', '3')
#define kSecProtocolTypeSMTP LANYARD_CODE('s', 'm', 't', 'p')
#define kSecProtocolTypeSOCKS LANYARD_CODE('s', 'o', 'x', ' ')
#define kSecProtocolTypeIMAP LANYARD_CODE('i', 'm', 'a', 'p')
#define kSecProtocolTypeLDAP LANYARD_CODE('l', 'd', 'a', 'p')
#define kSecProtocolTypeAppleTalk LANYARD_CODE('a', 't', 'l', 'k')
#define kSecProtocolTypeAFP LANYARD_CODE('a', 'f', 'p', ' ')
#define kSecProtocolTypeTelnet LANYARD_CODE('t', 'e', 'l', 'n')
#define kSecProtocolTypeSSH LANYARD_CODE('s', 's', 'h', ' ')
#define kSecProtocolTypeFTPS LANYARD_CODE('f', 't', 'p', 's')
#define kSecProtocolTypeHTTPS LANYARD_CODE('h', 't', 'p', 's')
#define kSecProtocolTypeHTTPProxy LANYARD_CODE('h', 't', 'p', 'x')
#define kSecProtocolTypeHTTPSProxy LANYARD_CODE('h', 't', 's', 'x')
#define kSecProtocolTypeFTPProxy LANYARD_CODE('f', 't', 'p', 'x')
#define kSecProtocolTypeCIFS LANYARD_CODE('c', 'i', 'f', 's')
#define kSecProtocolTypeSMB LANYARD_CODE('s', 'm', 'b', ' ')
#define kSecProtocolTypeRTSP LANYARD_CODE('r', 't', 's', 'p')
#define kSecProtocolTypeRTSPProxy LANYARD_CODE('r', 't', 's', 'x')
#define kSecProtocolTypeDAAP LANYARD_CODE('d', 'a', 'a', 'p')
#define kSecProtocolTypeEPPC LANYARD_CODE('e', 'p', 'p', 'c')
#define kSecProtocolTypeIPP LANYARD_CODE('i', 'p', 'p', ' ')
#define kSecProtocolTypeNNTPS LANYARD_CODE('n', 't', 'p', 's')
#define kSecProtocolTypeLDAPS LANYARD_CODE('l', 'd', 'p', 's')
#define kSecProtocolTypeTelnetS LANYARD_CODE('t', 'e', 'l', 's')
#define kSecProtocolTypeIMAPS LANYARD_CODE('i', 'm', 'p', 's')
#define kSecProtocolTypeIRCS LANYARD_CODE('i', 'r', 'c', 's')
#define kSecProtocolTypePOP3S LANYARD_CODE('p', 'o', 'p', 's')
#define kSecProtocolTypeCVSpserver LANYARD_CODE('c', 'v', 's', 'p')
#define kSecProtocolTypeSVN LANYARD_CODE('s', 'v', 'n', ' ')

/* The authentication types; any in a search, none in a new item. */
#define kSecAuthenticationTypeAny 0u
#define kSecAuthenticationTypeNTLM LANYARD_CODE('n', 't', 'l', 'm')
#define kSecAuthenticationTypeMSN LANYARD_CODE('m', 's', 'n', 'a')
#define kSecAuthenticationTypeDPA LANYARD_CODE('d', 'p', 'a', 'a')
#define kSecAuthenticationTypeRPA LANYARD_CODE('r', 'p', 'a', 'a')
#define kSecAuthenticationTypeHTTPBasic LANYARD_CODE('h', 't', 't', 'p')
#define kSecAuthenticationTypeHTTPDigest LANYARD_CODE('h', 't', 't', 'd')
#define kSecAuthenticationTypeHTMLForm LANYARD_CODE('f', 'o', 'r', 'm')
#define kSecAuthenticationTypeDefault LANYARD_CODE('d', 'f', 'l', 't')

/* The statuses that the functions return; SecCopyErrorMessageString says what any means. */
enum {
    errSecSuccess = 0,
    errSecUnimplemented = -4,
    errSecDiskFull = -34,
    errSecIO = -36,
    errSecParam = -50,
    errSecWrPerm = -61,
    errSecAllocate = -108,
    errSecUserCanceled = -128,
    errSecMissingEntitlement = -34018,
    errSecNotAvailable = -25291,
    errSecReadOnly = -25292,
    errSecAuthFailed = -25293,
    errSecNoSuchKeychain = -25294,
    errSecInvalidKeychain = -25295,
    errSecDuplicateKeychain = -25296,
    errSecDuplicateItem = -25299,
    errSecItemNotFound = -25300,
    errSecBufferTooSmall = -25301,
    errSecDataTooLarge = -25302,
    errSecNoSuchAttr = -25303,
    errSecNoSuchClass = -25306,
    errSecInteractionNotAllowed = -25308,
    errSecWrongSecVersion = -25310,
    errSecDecode = -26275,
    errSecDatabaseLocked = -67869,
};

/* Writes the version of this interface. */
OSStatus SecKeychainGetVersion(uint32_t *returnVers);

/* Makes a keychain: a name, for a file in the user's folder for keychains, or an absolute path. A password of
 * length 0 makes one that is always unlocked. promptUser must be false, initialAccess is ignored. */
OSStatus SecKeychainCreate(const char *pathName, uint32_t passwordLength, const void *password,
                           Boolean promptUser, SecAccessRef initialAccess, SecKeychainRef *keychain);

/* Opens a keychain by its name or absolute path. */
OSStatus SecKeychainOpen(const char *pathName, SecKeychainRef *keychain);

/* Returns the keychain that new items go to; sets it for every program of the user. */
OSStatus SecKeychainCopyDefault(SecKeychainRef *keychain);
OSStatus SecKeychainSetDefault(SecKeychainRef keychain);

/* Deletes a keychain with everything in it. */
OSStatus SecKeychainDelete(SecKeychainRef keychainOrArray);

/* Writes the path of a keychain's file; ioPathLength is the memory's size, then the path's length. */
OSStatus SecKeychainGetPath(SecKeychainRef keychain, uint32_t *ioPathLength, char *pathName);

/* Writes what a keychain allows now. NULL is the user's own. */
OSStatus SecKeychainGetStatus(SecKeychainRef keychain, SecKeychainStatus *keychainStatus);

/* Lock and unlock a keychain for all programs of the user. NULL is the user's own. */
OSStatus SecKeychainLock(SecKeychainRef keychain);
OSStatus SecKeychainLockAll(void);
OSStatus SecKeychainUnlock(SecKeychainRef keychain, uint32_t passwordLength, const void *password,
                           Boolean usePassword);

/* When a keychain locks: on sleep, and after lockInterval seconds; INT32_MAX is never. NULL is the user's own. */
OSStatus SecKeychainSetSettings(SecKeychainRef keychain, const SecKeychainSettings *newSettings);
OSStatus SecKeychainCopySettings(SecKeychainRef keychain, SecKeychainSettings *outSettings);

/* Whether keychains may ask the user in this process, at first true. LANYARD_NO_PROMPT forbids it, too. */
OSStatus SecKeychainSetUserInteractionAllowed(Boolean state);
OSStatus SecKeychainGetUserInteractionAllowed(Boolean *state);

/* Add a password. A keychain of NULL is the default one; itemRef may be NULL. */
OSStatus SecKeychainAddGenericPassword(SecKeychainRef keychain, uint32_t serviceNameLength,
                                       const char *serviceName, uint32_t accountNameLength,
                                       const char *accountName, uint32_t passwordLength,
                                       const void *passwordData, SecKeychainItemRef *itemRef);
OSStatus SecKeychainAddInternetPassword(SecKeychainRef keychain, uint32_t serverNameLength,
                                        const char *serverName, uint32_t securityDomainLength,
                                        const char *securityDomain, uint32_t accountNameLength,
                                        const char *accountName, uint32_t pathLength, const char *path,
                                        uint16_t port, SecProtocolType protocol,
                                        SecAuthenticationType authenticationType,
                                        uint32_t passwordLength, const void *passwordData,
                                        SecKeychainItemRef *itemRef);

/* Find the oldest password that matches, in the first keychain with one; a text of NULL or length 0 and a number of
 * 0 match any. NULL is the search list. Each result may be NULL. Release the password with
 * SecKeychainItemFreeContent. */
OSStatus SecKeychainFindGenericPassword(CFTypeRef keychain, uint32_t serviceNameLength,
                                        const char *serviceName, uint32_t accountNameLength,
                                        const char *accountName, uint32_t *passwordLength,
                                        void **passwordData, SecKeychainItemRef *itemRef);
OSStatus SecKeychainFindInternetPassword(CFTypeRef keychain, uint32_t serverNameLength,
                                         const char *serverName, uint32_t securityDomainLength,
                                         const char *securityDomain, uint32_t accountNameLength,
                                         const char *accountName, uint32_t pathLength, const char *path,
                                         uint16_t port, SecProtocolType protocol,
                                         SecAuthenticationType authenticationType,
                                         uint32_t *passwordLength, void **passwordData,
                                         SecKeychainItemRef *itemRef);

/* Change an item's attributes (NULL for none) and password (NULL to leave it). */
OSStatus SecKeychainItemModifyAttributesAndData(SecKeychainItemRef itemRef,
                                                const SecKeychainAttributeList *attrList,
                                                uint32_t length, const void *data);
OSStatus SecKeychainItemModifyContent(SecKeychainItemRef itemRef,
                                      const SecKeychainAttributeList *attrList, uint32_t length,
                                      const void *data);

/* Returns an item's class, the attributes whose tags the list has, and the password. Each may be NULL. */
OSStatus SecKeychainItemCopyContent(SecKeychainItemRef itemRef, SecItemClass *itemClass,
                                    SecKeychainAttributeList *attrList, uint32_t *length,
                                    void **outData);

/* Wipes and frees what a function returned; both may be NULL. */
OSStatus SecKeychainItemFreeContent(SecKeychainAttributeList *attrList, void *data);

/* Deletes an item. */
OSStatus SecKeychainItemDelete(SecKeychainItemRef itemRef);

/* Returns what a status means. reserved is NULL; release the text with CFRelease. */
CFStringRef SecCopyErrorMessageString(OSStatus status, void *reserved);

/* Writes a text with a NUL at its end; returns whether there was room. The encoding is UTF-8. */
Boolean CFStringGetCString(CFStringRef string, char *buffer, CFIndex bufferSize,
                           CFStringEncoding encoding);

/* Retains and releases a reference. */
CFTypeRef CFRetain(CFTypeRef reference);
void CFRelease(CFTypeRef reference);

#ifdef __cplusplus
}
#endif

#endif
