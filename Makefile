# EMBEDDED=no makes lanyard-helper an ordinary program, as toolchains without Embedded Swift do.
EMBEDDED ?= yes
# STATIC=no links the system's C libraries as shared ones, where there are no others.
STATIC   ?= yes
# SECRET_SERVICE=no builds without libsecret and GLib.
SECRET_SERVICE ?= yes
# A compiler's warning fails what is built for tests. WARNINGS=shown shows it: another compiler has others.
WARNINGS ?= errors

# The programs, and the other names of theirs that helpers/files gives them. The Secret Service's has the second one.
HELPER   = lanyard-helper
SERVICE  = lanyard-secret-service
EXECUTABLES = lanyard $(HELPER)
NAMES    = $(EXECUTABLES) lanyard-ssh-agent
ifeq ($(SECRET_SERVICE),no)
TRAITS   = --disable-default-traits
else
EXECUTABLES += $(SERVICE)
NAMES    += lanyard-keychain-secret-service
endif
LIBRARY  = libLanyardSecurity.so

# The list of linked libraries, in CycloneDX. The linker writes in LINKED what each program is linked of.
SBOM   = .build/lanyard.$(SECRET_SERVICE).cdx.json
LINKED = $(CURDIR)/.build/linked
RECORDS = $(addprefix $(LINKED)/,$(EXECUTABLES))
export LANYARD_STATIC = $(STATIC)
export LANYARD_WARNINGS = $(WARNINGS)

# Units of systemd for each user, off by default. They name the programs' paths, which those in an archive get from
# install.sh.
UNIT_FOLDER = lib/systemd/user
UNIT_PREFIX = $(PREFIX)

PREFIX  ?= /usr/local
DESTDIR ?=
DIST    ?= dist

SWIFT   ?= swift
# Without debug information, which would not be in the programs: they are linked without it.
# The name of the folder is in no program.
RELEASE  = -c release -debug-info-format none --static-swift-stdlib --disable-local-rpath $(TRAITS) $(addprefix -Xlinker ,$(LIBCRYPTO_USES)) \
    $(addprefix -Xswiftc ,-file-prefix-map $(CURDIR)=. -Xcc -ffile-prefix-map=$(CURDIR)=.)
# A static libcrypto needs these where it is compiled with them, as in Debian 13. SwiftPM does not read Libs.private.
LIBCRYPTO_USES = $(filter -lz -lzstd,$(shell pkg-config --static --libs libcrypto 2>/dev/null))
# For tests. One process for each module takes less work for a first build than several; SwiftPM wants an object for each
# file, which a number of threads gives. For a debugger, build with `swift build`.
FOR_TESTS = -debug-info-format none $(addprefix -Xswiftc ,-whole-module-optimization -num-threads 2 \
    -no-emit-module-separately-wmo)
DEBUG    = $(TRAITS) $(FOR_TESTS)
TEST     = SWIFT="$(SWIFT)" Tests/Support/run/swift-test $(DEBUG) --
# A link to SwiftPM's release folder: `sudo make install` then needs no swift on root's PATH.
BIN      = .build/bin
# What `make rest` checks.
ALL_PARTS = deep keepassxc examples without-secret-service
PARTS    ?= $(ALL_PARTS)
VERSION  = $(shell sed -n 's/.*Version = "\(.*\)"/\1/p' Sources/Base/LinuxSystem/Version.swift)
SOURCES  = $(wildcard Package.swift Sources helpers Tests)

# The date in packages: the same commit gives the same bytes.
EPOCH    = $(or $(SOURCE_DATE_EPOCH),$(shell git log -1 --format=%ct))
# The archive of programs, and the folder in it.
ARCHIVE  = lanyard-$(VERSION)-linux-$(shell uname -m)

.PHONY: place absolute-prefix install-library uninstall-library all demo test checks check programs-checks test-all rest rest-checks quick sanitize fuzz torture mutate check-certificates check-team-model check-vectors check-wrappers check-secret-service check-systemd check-elsewhere check-same-bytes compare-helpers bench order git-suite \
    dist archive deb sums test-packages sbom record install uninstall format lint clean print-executables help
.NOTPARALLEL:

# What was built names its folder: elsewhere modules would be missing.
place:
	@[ ! -e .build/place ] || [ "$$(cat .build/place)" = "$$(pwd -P)" ] || { \
	    printf 'lanyard: error: this folder was moved\nlanyard: hint: make clean\n' >&2; exit 1; }
	@mkdir -p .build
	@pwd -P >.build/place

# SwiftPM leaves folders in TMPDIR: in ours, not in the machine's.
all: place ## build the release programs
	@mkdir -p .build/tmp "$(LINKED)"
	@helpers/remove-outdated "$(LINKED)"/* .build/embedded/$(HELPER).linked
	@[ "$(EMBEDDED)" = no ] || SWIFT="$(SWIFT)" helpers/embedded/build .build/embedded & \
	embedded=$$!; \
	echo '$(SWIFT) build $(RELEASE)'; \
	TMPDIR="$$PWD/.build/tmp" LANYARD_TESTS=no LANYARD_LINKED="$(LINKED)" $(SWIFT) build $(RELEASE) && wait $$embedded
	@ln -sfn "$$(TMPDIR="$$PWD/.build/tmp" LANYARD_TESTS=no $(SWIFT) build $(RELEASE) --show-bin-path)" $(BIN)
	@rm -rf .build/tmp
	@[ "$(EMBEDDED)" = no ] || [ ! -e .build/embedded/$(HELPER) ] || \
	    { install -p -m 755 .build/embedded/$(HELPER) $(BIN)/$(HELPER) && \
	    cp -p .build/embedded/$(HELPER).linked "$(LINKED)/$(HELPER)"; }
	@helpers/link-names $(BIN)
	@helpers/completions/generate $(BIN)/lanyard .build/completions
	@$(MAKE) --no-print-directory sbom || \
	    echo 'lanyard: skipped the list of linked libraries' >&2

# Only dpkg knows each library's package. The list is made again when a program or a pin is newer.
sbom: # a part of all: the list of what the programs are linked of
	@command -v dpkg-query >/dev/null
	@[ -s $(SBOM) ] && \
	    [ -z "$$(find $(RECORDS) Package.swift Package.resolved helpers/make-sbom -newer $(SBOM))" ] || { \
	    rm -f $(SBOM) && \
	    SWIFT="$(SWIFT)" helpers/make-sbom .build $(RECORDS) >$(SBOM).new && \
	    mv $(SBOM).new $(SBOM); }

demo: ## show the main job: git and skopeo log in from an encrypted keychain
	@Tests/Support/run/ensure-packages demo
	@$(MAKE) --no-print-directory all
	@LANYARD_BIN_DIR=$(BIN) Tests/Demo/demo

test: ## check everything but the rest below, quick things first
	@Tests/Support/run/ensure-packages test
	@Tests/Support/run/guard-places $(MAKE) --no-print-directory checks

check: all ## run the unit tests, and check programs and pages: needs neither root, nor a network, nor more packages
	@$(MAKE) --no-print-directory programs-checks
	$(SWIFT) build $(DEBUG) --build-tests
	@Tests/Support/run/unit-tests "$$(Tests/Support/run/test-bundle $(DEBUG))"

test-all: test rest ## check everything

rest: ## run the deep suites, check with KeePassXC, the examples, without the Secret Service (PARTS=NAMES)
	@Tests/Support/run/ensure-packages test
	@Tests/Support/run/guard-places $(MAKE) --no-print-directory rest-checks

checks: place # what `make test` does once the packages are there
	@$(MAKE) --no-print-directory lint all programs-checks
	Tests/Support/check/check-signature
	Tests/Support/check/check-team-model 1 BINDING
	SWIFT="$(SWIFT)" LANYARD_PROGRAMS=no LANYARD_BIN_DIR="$$(cd $(BIN) && pwd -P)" \
	    Tests/Support/run/all-tests $(DEBUG)

programs-checks: # a part of checks: what the programs say of themselves
	LANYARD_BIN_DIR="$$(cd $(BIN) && pwd -P)" Tests/Support/check/check-versions $(EXECUTABLES) \
	    $(filter-out $(EXECUTABLES),$(NAMES))
	LANYARD_BIN_DIR="$$(cd $(BIN) && pwd -P)" Tests/Support/check/check-man-pages
	LANYARD_BIN_DIR="$$(cd $(BIN) && pwd -P)" Tests/IndependentReader/test
	LANYARD_BIN_DIR="$$(cd $(BIN) && pwd -P)" Tests/Support/check/check-sbom $(SBOM) $(EXECUTABLES)

rest-checks: place # what `make rest` does once the packages are there
	@$(foreach part,$(filter-out $(PARTS),$(ALL_PARTS)),echo 'skipped: $(part), not in PARTS';)
	@[ -z "$(filter deep,$(PARTS))" ] || { { [ -x $(BIN)/lanyard ] || $(MAKE) --no-print-directory all; } && \
	    SWIFT="$(SWIFT)" LANYARD_PROGRAMS=no LANYARD_BIN_DIR="$$(cd $(BIN) && pwd -P)" DEPTH=deep \
	    Tests/Support/run/all-tests $(DEBUG); }
	@[ -z "$(filter keepassxc,$(PARTS))" ] || [ "$(SECRET_SERVICE)" = no ] || \
	    SWIFT="$(SWIFT)" LANYARD_PROGRAMS=no Tests/Support/run/swift-test $(DEBUG) -- \
	    --filter '^EndToEndDesktop\.KeePassXCConformanceTests'
	@[ -z "$(filter examples,$(PARTS))" ] || [ ! -d Tests/Examples ] || \
	    SWIFT="$(SWIFT)" Tests/Support/run/run-examples $(FOR_TESTS)
	@[ -z "$(filter without-secret-service,$(PARTS))" ] || [ "$(SECRET_SERVICE)" = no ] || \
	    SWIFT="$(SWIFT)" Tests/Support/run/without-secret-service $(WITHOUT_SECRET_SERVICE)

quick: place ## run the unit tests, which need no more packages than the build
	@Tests/Support/run/ensure-packages build
	$(SWIFT) build $(DEBUG) --build-tests
	@Tests/Support/run/unit-tests "$$(Tests/Support/run/test-bundle $(DEBUG))"

fuzz: ## fuzz everything that reads foreign bytes (FUZZ_SECONDS=60 for each target)
	@Tests/Support/run/ensure-packages build
	@SWIFT="$(SWIFT)" Tests/Fuzzing/run

sanitize: ## run the tests under the address and the thread sanitizer (FILTER=REGEX, TEST_TARGETS=NAMES)
	@Tests/Support/run/ensure-packages test
	@SWIFT="$(SWIFT)" SANITIZERS="$(SANITIZERS)" TRAITS="$(TRAITS)" \
	    Tests/Support/run/sanitize '$(FILTER)' '$(TEST_TARGETS)'

torture: ## try to lose or damage logins at random (TORTURE_MINUTES=5, TORTURE_SEED=N)
	@Tests/Support/run/ensure-packages test
	@$(MAKE) --no-print-directory all
	LANYARD_BIN_DIR="$$(cd $(BIN) && pwd -P)" \
	    $(if $(TORTURE_MINUTES),TORTURE_MINUTES=$(TORTURE_MINUTES)) \
	    $(if $(TORTURE_SEED),TORTURE_SEED=$(TORTURE_SEED) LANYARD_TEST_SEED=$(TORTURE_SEED)) \
	    $(TEST) --filter Torture --no-parallel
	@# Optimized: what they compute takes the time.
	LANYARD_PROGRAMS=no LANYARD_TEST_TARGETS=TeamsTests $(SWIFT) build -c release \
	    -Xswiftc -enable-testing --scratch-path .build/torture --build-tests
	LANYARD_BIN_DIR="$$(cd $(BIN) && pwd -P)" TORTURE_TEAMS=25 \
	    $(if $(TORTURE_SEED),LANYARD_TEST_SEED=$(TORTURE_SEED)) \
	    Tests/Support/run/run-tests .build/torture/release/lanyardPackageTests.xctest --filter TeamTorture

mutate: ## put small faults into a copy of the sources, and see that tests notice (PATCHES=NAMES)
	@Tests/Support/run/ensure-packages unit
	@SWIFT="$(SWIFT)" FLAGS="$(DEBUG)" Tests/Support/run/guard-places Tests/Support/run/mutate $(PATCHES)

check-certificates: ## compare certificates with what swift-certificates reads (builds it, needs a network)
	@Tests/Support/run/ensure-packages test
	@$(MAKE) --no-print-directory all
	@SWIFT="$(SWIFT)" LANYARD_BIN_DIR="$$(cd $(BIN) && pwd -P)" Tests/Support/fetch/check-certificates

check-team-model: ## look at every run of a model of teams, with spin (TEAM_CHANGES=2)
	@Tests/Support/run/ensure-packages test
	Tests/Support/check/check-team-model $(or $(TEAM_CHANGES),2) BINDING RENEWAL MEMORY RETURN FILTER

check-wrappers: ## run the tests of libraries that wrap Keychain Services (fetches them)
	@Tests/Support/run/ensure-packages test
	@$(MAKE) --no-print-directory all
	@SWIFT="$(SWIFT)" LANYARD_BIN_DIR="$$(cd $(BIN) && pwd -P)" \
	    Tests/Support/run/guard-places Tests/Support/fetch/check-wrappers

check-vectors: ## compare certificates and keys with NIST's and Wycheproof's vectors (fetches them)
	@Tests/Support/run/ensure-packages unit
	$(SWIFT) build $(DEBUG) --build-tests
	@SWIFT="$(SWIFT)" Tests/Support/fetch/check-vectors $(DEBUG)

check-systemd: ## seal machine keys with the systemd of Debian 13, with a TPM and without (makes a root, needs a network)
	@$(MAKE) --no-print-directory all
	@LANYARD_BIN_DIR="$$(cd $(BIN) && pwd -P)" Tests/Support/fetch/check-systemd

check-secret-service: ## run the tests of libraries for the Secret Service (fetches them)
	@Tests/Support/run/ensure-packages test
	@$(MAKE) --no-print-directory all
	@LANYARD_BIN_DIR="$$(cd $(BIN) && pwd -P)" Tests/Support/run/guard-places Tests/Support/fetch/check-secret-service

compare-helpers: ## ask both builds of lanyard-helper the same, and compare their answers (COMPARE='tools teams')
	@Tests/Support/run/ensure-packages test
	@$(MAKE) --no-print-directory all
	@if [ "$(EMBEDDED)" = no ] || [ ! -x .build/embedded/$(HELPER) ]; then \
	    echo 'skipped: there is no $(HELPER) in Embedded Swift to compare'; \
	    exit 0; \
	fi; \
	mkdir -p .build/tmp .build/ordinary && rm -f $(BIN)/$(HELPER) && \
	    TMPDIR="$$PWD/.build/tmp" $(SWIFT) build $(RELEASE) --product $(HELPER) && \
	    install -m 755 $(BIN)/$(HELPER) .build/ordinary/$(HELPER); \
	status=$$?; \
	rm -rf .build/tmp; \
	install -p -m 755 .build/embedded/$(HELPER) $(BIN)/$(HELPER) && [ $$status -eq 0 ] && \
	    LANYARD_BIN_DIR="$$(cd $(BIN) && pwd -P)" Tests/Support/run/guard-places Tests/Support/check/compare-helpers \
	    .build/ordinary/$(HELPER) .build/embedded/$(HELPER) $(COMPARE)

bench: ## measure the programs next to their peers (ROUNDS=51, BENCH_MILLION=no, BENCH_KEEP=1)
	@Tests/Support/run/ensure-packages bench
	@$(MAKE) --no-print-directory all
	@SWIFT="$(SWIFT)" LANYARD_BIN_DIR=$(BIN) Tests/Benchmarks/run

order: ## write helpers/embedded/order.txt: what a git get calls lies together in the program (needs valgrind)
	@$(MAKE) --no-print-directory all
	@SWIFT="$(SWIFT)" helpers/embedded/order .build/embedded
	@$(MAKE) --no-print-directory all

git-suite: ## run git's own tests of credential helpers (GIT_SOURCE=a built git tree)
	@[ -z "$(GIT_SOURCE)" ] || $(MAKE) --no-print-directory all
	@GIT_SOURCE="$(GIT_SOURCE)" LANYARD_BIN_DIR=$(BIN) Tests/Support/fetch/git-suite

# The source is that of the last commit.
dist: ## make the archives of source and programs, and the list of linked libraries (SIGNING_KEY=FILE)
	@git diff --quiet HEAD || { echo 'lanyard: error: commit your changes first' >&2; exit 1; }
	@$(MAKE) --no-print-directory all
	@mkdir -p $(DIST) && rm -f $(DIST)/lanyard*
	git archive --format=tar --prefix=lanyard-$(VERSION)/ HEAD | \
	    gzip -9n >$(DIST)/lanyard-$(VERSION).tar.gz
	cp $(SBOM) $(DIST)/lanyard-$(VERSION).cdx.json
	@$(MAKE) --no-print-directory archive

archive: # a part of dist: the programs, and what installs them
	@rm -rf .build/archive && mkdir -p .build/archive $(DIST)
	$(MAKE) --no-print-directory install DESTDIR=.build/archive/$(ARCHIVE) PREFIX= INSTALLED= \
	    UNIT_FOLDER=share/systemd/user UNIT_PREFIX=@PREFIX@
	@cp helpers/install.sh README.md SECURITY.md CHANGELOG.md LICENSE .build/archive/$(ARCHIVE)
	@cp debian/copyright .build/archive/$(ARCHIVE)/COPYRIGHT
	@cd .build/archive/$(ARCHIVE) && find bin lib libexec share -type f | LC_ALL=C sort | \
	    xargs sha256sum >SHA256SUMS
	tar -C .build/archive --format=ustar --sort=name --mtime=@$(EPOCH) --owner=0 --group=0 \
	    --numeric-owner --mode=u=rwX,go=rX -c $(ARCHIVE) | gzip -9n >$(DIST)/$(ARCHIVE).tar.gz
	@$(MAKE) --no-print-directory sums

deb: ## build the Debian packages
	@Tests/Support/run/ensure-packages package
	@$(MAKE) --no-print-directory all
	@mkdir -p $(DIST) && rm -f $(DIST)/*.deb
	SOURCE_DATE_EPOCH=$(EPOCH) debian/rules binary DEB_DIR="$$(cd $(DIST) && pwd)"
	@debian/rules clean
	@$(MAKE) --no-print-directory sums

# A signature of an earlier list would be worse than none. SIGNING_KEY is an SSH key, or the public half of
# one that an agent has.
sums: # what has to be published with what is in dist
	@cd $(DIST) && rm -f SHA256SUMS SHA256SUMS.sig && sha256sum lanyard* >SHA256SUMS
	@[ -z "$(SIGNING_KEY)" ] || \
	    ssh-keygen -q -Y sign -n file -f "$(SIGNING_KEY)" $(DIST)/SHA256SUMS

test-packages: ## install the packages on a bare Debian and log in there (as root, with a network)
	@Tests/Support/run/ensure-packages package
	@$(MAKE) --no-print-directory deb archive
	Tests/Packages/test $(DIST)

check-elsewhere: ## use the archive on Debian 13 and Ubuntu 24.04 (as root, with a network)
	@$(MAKE) --no-print-directory all archive
	Tests/Packages/elsewhere $(DIST) trixie noble

check-same-bytes: ## build the last commit in another folder, without a network, and compare the programs
	@$(MAKE) --no-print-directory all
	@SWIFT="$(SWIFT)" LANYARD_BIN_DIR="$$(cd $(BIN) && pwd -P)" Tests/Support/check/check-same-bytes $(EXECUTABLES)

record: ## record the session in the README: Tests/Demo/lanyard.cast and .svg (as root, with a network)
	@Tests/Support/run/ensure-packages record
	@$(MAKE) --no-print-directory deb
	Tests/Demo/record

# A relative one would be taken from the folder of this file, and from anywhere in the installed units.
absolute-prefix:
	@case "$(PREFIX)" in ''|/*) ;; *) \
	    echo 'lanyard: error: PREFIX must be an absolute path, not $(PREFIX)' >&2; \
	    echo 'lanyard: hint: make $(firstword $(MAKECMDGOALS)) PREFIX="$$PWD/$(PREFIX)"' >&2; exit 64;; \
	esac

# What helpers/files lists for PACKAGE, or all of it.
PACKAGE ?= lanyard*
# Where the paths that were installed are listed below PREFIX for install.sh, which uninstalls; empty for packages.
INSTALLED = libexec/lanyard/installed

install: absolute-prefix ## install below PREFIX (/usr/local), staged in DESTDIR
	@for name in $(EXECUTABLES); do \
	    [ -x "$(BIN)/$$name" ] || exec $(MAKE) --no-print-directory all; \
	done
	@[ -d .build/completions ] || helpers/completions/generate $(BIN)/lanyard .build/completions
	@helpers/files $(BIN) $(SECRET_SERVICE) '$(UNIT_FOLDER)' .build/completions $(SBOM) >.build/files
	@set -e; while read -r package mode path source; do \
	    case $$package in $(PACKAGE)) ;; *) continue ;; esac; \
	    target="$(DESTDIR)$(PREFIX)/$$path"; \
	    case $$mode in \
	    link) install -d "$${target%/*}" && ln -sfn "$$source" "$$target" ;; \
	    unit) sed 's|@PREFIX@|$(UNIT_PREFIX)|' "$$source" | install -D -m 644 /dev/stdin "$$target" ;; \
	    *) install -D -m "$$mode" "$$source" "$$target" ;; \
	    esac; \
	done <.build/files
	@# With the folders that are Lanyard's alone.
	@[ -z "$(INSTALLED)" ] || awk '{ print $$3; path = $$3; while (sub("/[^/]*$$", "", path)) if (path ~ /lanyard/) print path "/" }' \
	    .build/files | LC_ALL=C sort -u >"$(DESTDIR)$(PREFIX)/$(INSTALLED)"
	@echo "installed in '$(DESTDIR)$(PREFIX)/'"

uninstall: absolute-prefix ## remove what install installed
	@sh helpers/install.sh --uninstall --prefix "$(DESTDIR)$(PREFIX)/"

format: ## format the Swift code in place
	ulimit -S -n "$$(ulimit -H -n)" && $(SWIFT) format -i -r -p $(SOURCES)

lint: ## check the form of scripts, man pages and Swift code
	@SWIFT="$(SWIFT)" Tests/Support/check/lint $(SOURCES)

install-library: absolute-prefix ## install the library for C programs below PREFIX (/usr/local)
	@[ -f "$(BIN)/$(LIBRARY)" ] || exec $(MAKE) --no-print-directory all
	install -D -m 755 "$(BIN)/$(LIBRARY)" "$(DESTDIR)$(PREFIX)/lib/$(LIBRARY)"
	install -D -m 644 Sources/Apple/SecurityLibrary/include/Security/Security.h \
	    "$(DESTDIR)$(PREFIX)/include/lanyard/Security/Security.h"
	install -d "$(DESTDIR)$(PREFIX)/lib/pkgconfig"
	@printf '%s\n' 'prefix=$(PREFIX)' '' 'Name: lanyard-security' \
	    'Description: Functions of Keychain Services for C' 'Version: $(VERSION)' \
	    'Cflags: -I$${prefix}/include/lanyard' 'Libs: -L$${prefix}/lib -lLanyardSecurity' \
	    >"$(DESTDIR)$(PREFIX)/lib/pkgconfig/lanyard-security.pc"

uninstall-library: absolute-prefix ## remove what install-library put there
	@rm -f "$(DESTDIR)$(PREFIX)/lib/$(LIBRARY)" \
	    "$(DESTDIR)$(PREFIX)/lib/pkgconfig/lanyard-security.pc"
	@rm -rf "$(DESTDIR)$(PREFIX)/include/lanyard"

clean: ## remove everything that was built
	rm -rf .build dist

print-executables: # for scripts: what is built
	@printf '%s\n' $(NAMES) $$($(BIN)/$(HELPER) --names)

help: ## list these targets
	@sed -n 's/^\([a-z-]*\):.*## /\1	/p' Makefile | expand -t 20
