/* Sets when the keychain locks. Any Boolean but 0 is true. */
#include <Security/Security.h>
#include <stdio.h>

int main(void)
{
    SecKeychainSettings settings = {SEC_KEYCHAIN_SETTINGS_VERS1, 2, 0, 300};
    SecKeychainSettings stored = {0, 0, 0, 0};
    OSStatus status = SecKeychainSetSettings(NULL, &settings);
    if (status == errSecSuccess) {
        status = SecKeychainCopySettings(NULL, &stored);
    }
    printf("status %d: locks on sleep %d, after %u seconds\n", (int)status, stored.lockOnSleep,
           stored.lockInterval);
    return status == errSecSuccess && stored.lockOnSleep == 1 && stored.lockInterval == 300 ? 0 : 1;
}
