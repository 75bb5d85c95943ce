# Reads Swift Testing's stream of events, a line of JSON each. Prints a line for each suite when it ends, with the number of
# its tests and, if `timed` is 1, its time, and writes into the folder `results`:
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

    match($0, /"absolute":[0-9.]+/)
    now = substr($0, RSTART + 11, RLENGTH - 11)
    if (kind == "testStarted" && !isTest) started[suite] = now
    if (kind == "testEnded" && isTest) tests[suite]++
    if (kind == "issueRecorded" && $0 !~ /"isKnown":true/) hasFailed[id] = hasFailed[suite] = 1
    if (kind == "testSkipped" && isTest) {
        skipped++
        reason = field("text")
        if (!sub(/^.* skipped: /, "", reason)) reason = id ": for no reason"
        gsub(/^"|"$/, "", reason)
        # What is missing such a test prints itself.
        if (reason != "something is missing for it") print reason >>(results "/skipped")
    }
    if (kind == "testEnded" && isTest && !hasFailed[id]) passed++
    if (kind == "testEnded" && isTest && hasFailed[id]) {
        failed++
        print id >>(results "/failed")
    }
    if (kind == "testEnded" && !isTest) {
        time = timed ? sprintf("%6.1f s", now - started[suite]) : ""
        printf "%s%s %4d  %s\n", hasFailed[suite] ? "✘" : "✔", time, tests[suite], suite
        fflush()
    }
}

END { print passed + 0, skipped + 0, failed + 0 >>(results "/counts") }
