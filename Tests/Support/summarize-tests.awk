# Reads Swift Testing's stream of events, a line of JSON each. Prints a line for each suite when it ends, with the number of
# its tests (their own times the events don't tell: all tests of a run start at once), and writes into the folder `results`:
# to `counts` the numbers of tests that passed, were skipped and failed, to `skipped` a reason for each of these, and to `failed`
# the tests that failed.

function field(name,    rest) {
    if (!match($0, "\"" name "\":\"")) return ""
    rest = substr($0, RSTART + RLENGTH)
    match(rest, /^([^"\\]|\\.)*/)
    rest = substr(rest, 1, RLENGTH)
    gsub(/\\\//, "/", rest)
    gsub(/\\"/, "\"", rest)
    return rest
}

index($0, "{\"kind\":\"event\"") == 1 {
    id = field("testID")
    if (!match($0, /"kind":"test[A-Za-z]*"|"kind":"issueRecorded"/)) next
    kind = substr($0, RSTART + 8, RLENGTH - 9)
    # Module.Suite/test(argument:)/File.swift:1:2, or Module.Suite alone.
    isTest = id ~ /\)\/[^\/]*:[0-9]+:[0-9]+$/
    sub(/\/[^\/]*:[0-9]+:[0-9]+$/, "", id)
    suite = id
    if (isTest) sub(/\/?[^\/]*\([^(]*\)$/, "", suite)

    if (kind == "testEnded" && isTest) tests[suite]++
    if (kind == "issueRecorded" && $0 !~ /"isKnown":true/) hasFailed[id] = hasFailed[suite] = 1
    if (kind == "testSkipped" && isTest) {
        skipped++
        reason = field("text")
        if (!sub(/^.* skipped: /, "", reason)) reason = "for no reason"
        gsub(/^"|"$/, "", reason)
        print reason >>(results "/skipped")
    }
    if (kind == "testEnded" && isTest && !hasFailed[id]) passed++
    if (kind == "testEnded" && isTest && hasFailed[id]) {
        failed++
        print id >>(results "/failed")
    }
    if (kind == "testEnded" && !isTest) {
        printf "%s %4d  %s\n", hasFailed[suite] ? "✘" : "✔", tests[suite], suite
        fflush()
    }
}

END { print passed + 0, skipped + 0, failed + 0 >>(results "/counts") }
