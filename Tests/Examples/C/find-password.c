/* Adds a password, finds it, changes it and deletes it.
 *
 *   cc find-password.c $(pkg-config --cflags --libs lanyard-security)
 */
#include <Security/Security.h>
#include <stdio.h>
#include <string.h>

static int failed(const char *what, OSStatus status)
{
    char reason[200] = "";
    CFStringRef text = SecCopyErrorMessageString(status, NULL);
    CFStringGetCString(text, reason, sizeof reason, kCFStringEncodingUTF8);
    CFRelease(text);
    fprintf(stderr, "can't %s: %s (%d)\n", what, reason, (int)status);
    return 1;
}

static OSStatus show(const char *service, SecKeychainItemRef *item)
{
    uint32_t length = 0;
    void *password = NULL;
    OSStatus status = SecKeychainFindGenericPassword(NULL, (uint32_t)strlen(service), service, 3, "ada",
                                                     &length, &password, item);
    if (status == errSecSuccess) {
        printf("ada's password has %u bytes\n", length);
        SecKeychainItemFreeContent(NULL, password);
    }
    return status;
}

int main(void)
{
    const char *service = "example in C";
    SecKeychainItemRef item = NULL;

    SecKeychainSettings settings = {0, 1, 0, 0};
    OSStatus status = SecKeychainCopySettings(NULL, &settings);
    if (status != errSecSuccess || settings.version != SEC_KEYCHAIN_SETTINGS_VERS1 || settings.lockOnSleep) {
        return failed("read the settings", status);
    }
    printf("the keychain locks after %u seconds\n", settings.lockInterval);

    status = SecKeychainAddGenericPassword(NULL, (uint32_t)strlen(service), service, 3, "ada", 6,
                                                    "secret", NULL);
    if (status != errSecSuccess && status != errSecDuplicateItem) {
        return failed("add a password", status);
    }
    status = show(service, &item);
    if (status != errSecSuccess) {
        return failed("find the password", status);
    }

    SecKeychainAttribute label = {kSecLabelItemAttr, 12, "Ada's secret"};
    SecKeychainAttributeList attributes = {1, &label};
    status = SecKeychainItemModifyAttributesAndData(item, &attributes, 9, "different");
    if (status == errSecSuccess) {
        label.data = NULL;
        status = SecKeychainItemCopyContent(item, NULL, &attributes, NULL, NULL);
    }
    if (status != errSecSuccess) {
        return failed("change the password", status);
    }
    printf("its label is '%.*s'\n", (int)label.length, (const char *)label.data);
    SecKeychainItemFreeContent(&attributes, NULL);
    CFRelease(item);

    status = show(service, &item);
    if (status == errSecSuccess) {
        status = SecKeychainItemDelete(item);
        CFRelease(item);
    }
    if (status != errSecSuccess) {
        return failed("delete the password", status);
    }
    if (show(service, NULL) != errSecItemNotFound) {
        return 1;
    }
    puts("ada's password is deleted");
    return 0;
}
