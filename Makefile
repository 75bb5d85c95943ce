# Each folder in helpers with a main is a program.
PROGRAMS = $(notdir $(patsubst %/main.swift,%,$(wildcard helpers/*/main.swift)))
COMMANDS = $(filter-out $(SERVICE) $(HELPER),$(PROGRAMS)) $(SERVICES)
# A second name of lanyard, on PATH, too.
AGENT    = lanyard-ssh-agent

# The helpers of all tools, and what the commands and pam_exec start, are one program under several names. The names
# are links, and it lists them. All are in libexec, where lists of trusted programs name them; those that don't begin with
# lanyard- are on PATH, too.
HELPER   = lanyard-helper
# Its name for pip and uv, in a folder of its own: a program of that name may be installed, too.
KEYRING  = libexec/lanyard/bin/keyring
BACKEND  = lib/lanyard/python/lanyard_keyring.py

# EMBEDDED=no makes it an ordinary program, as toolchains without Embedded Swift do.
EMBEDDED ?= yes

# The desktop's Secret Service, offered; by its second name, used. Only the commands start that.
SERVICE  = lanyard-secret-service
SERVICES = $(SERVICE)
PLUGIN   = lanyard-keychain-secret-service

# SECRET_SERVICE=no builds without libsecret and GLib.
SECRET_SERVICE ?= yes
ifeq ($(SECRET_SERVICE),no)
PLUGIN   =
SERVICES =
TRAITS   = --disable-default-traits
endif
EXECUTABLES = $(COMMANDS) $(HELPER)
LIBRARY  = libLanyardSecurity.so

# The list of linked libraries, in CycloneDX, and its place below PREFIX.
SBOM = .build/lanyard.$(SECRET_SERVICE).cdx.json
INSTALLED_SBOM = share/doc/lanyard/lanyard.cdx.json

# Units of systemd for each user, off by default. They name the programs' paths, which those in an archive get from
# install.sh.
UNIT_FOLDER = lib/systemd/user
UNIT_PREFIX = $(PREFIX)
UNITS = lanyard-ssh-agent.socket lanyard-ssh-agent.service lanyard-team.service lanyard-team.timer \
    $(if $(PLUGIN),lanyard-lock.service) \
    $(addsuffix .service,$(SERVICES))

# Where the shells look for completions, below share.
COMPLETIONS = bash-completion/completions/lanyard zsh/site-functions/_lanyard \
    fish/vendor_completions.d/lanyard.fish

PREFIX  ?= /usr/local
DESTDIR ?=
DIST    ?= dist

SWIFT   ?= swift
# Without debug information, which would not be in the programs: they are linked without it.
RELEASE  = -c release -debug-info-format none --static-swift-stdlib --disable-local-rpath $(TRAITS) $(addprefix -Xlinker ,$(LIBCRYPTO_USES))
# A static libcrypto needs these where it is compiled with them, as in Debian 13. SwiftPM does not read Libs.private.
LIBCRYPTO_USES = $(filter -lz -lzstd,$(shell pkg-config --static --libs libcrypto 2>/dev/null))
# For tests. One process for each module takes less work for a first build than several; SwiftPM wants an object for each
# file, which a number of threads gives. For a debugger, build with `swift build`.
FOR_TESTS = -debug-info-format none $(addprefix -Xswiftc ,-whole-module-optimization -num-threads 2 \
    -no-emit-module-separately-wmo)
DEBUG    = $(TRAITS) $(FOR_TESTS)
TEST     = SWIFT="$(SWIFT)" Tests/Support/swift-test $(DEBUG) --
# A link to SwiftPM's release folder: `sudo make install` then needs no swift on root's PATH.
BIN      = .build/bin
# What `make rest` checks.
ALL_PARTS = keepassxc examples without-secret-service
PARTS    ?= $(ALL_PARTS)
VERSION  = $(shell sed -n 's/.*Version = "\(.*\)"/\1/p' Sources/Base/LinuxSystem/Version.swift)
SOURCES  = $(wildcard Package.swift Sources helpers Tests)

# The date in packages: the same commit gives the same bytes.
EPOCH    = $(or $(SOURCE_DATE_EPOCH),$(shell git log -1 --format=%ct))
# The archive of programs, and the folder in it.
ARCHIVE  = lanyard-$(VERSION)-linux-$(shell uname -m)

.PHONY: place absolute-prefix install-library uninstall-library all demo test checks test-all rest rest-checks quick sanitize fuzz torture mutate check-certificates check-team-model check-vectors check-wrappers check-secret-service check-systemd check-elsewhere compare-helpers bench order git-suite \
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
	@mkdir -p .build/tmp
	@[ "$(EMBEDDED)" = no ] || SWIFT="$(SWIFT)" helpers/embedded/build .build/embedded & \
	embedded=$$!; \
	echo '$(SWIFT) build $(RELEASE)'; \
	TMPDIR="$$PWD/.build/tmp" LANYARD_TESTS=no $(SWIFT) build $(RELEASE) && wait $$embedded
	@ln -sfn "$$(TMPDIR="$$PWD/.build/tmp" LANYARD_TESTS=no $(SWIFT) build $(RELEASE) --show-bin-path)" $(BIN)
	@rm -rf .build/tmp
	@[ "$(EMBEDDED)" = no ] || [ ! -e .build/embedded/$(HELPER) ] || \
	    install -p -m 755 .build/embedded/$(HELPER) $(BIN)/$(HELPER)
	@Tests/Support/link-names $(BIN)
	@helpers/completions/generate $(BIN)/lanyard .build/completions
	@$(MAKE) --no-print-directory sbom || \
	    echo 'lanyard: skipped the list of linked libraries' >&2

# Only dpkg knows each library's package. The list is made again when a program or a pin is newer.
sbom: # a part of all: the list of what the programs are linked of
	@command -v dpkg-query >/dev/null
	@[ -s $(SBOM) ] && \
	    [ -z "$$(find -L $(addprefix $(BIN)/,$(EXECUTABLES)) Package.swift Package.resolved \
	        Tests/Support/make-sbom -newer $(SBOM))" ] || { \
	    rm -f $(SBOM) && \
	    SWIFT="$(SWIFT)" Tests/Support/make-sbom .build $(EXECUTABLES) >$(SBOM).new && \
	    mv $(SBOM).new $(SBOM); }

demo: ## show the main job: git and skopeo log in from an encrypted keychain
	@Tests/Support/ensure-packages demo
	@$(MAKE) --no-print-directory all
	@LANYARD_BIN_DIR=$(BIN) Tests/Demo/demo

test: ## check everything but the rest below, quick things first
	@Tests/Support/ensure-packages test
	@Tests/Support/guard-places $(MAKE) --no-print-directory checks

test-all: test rest ## check everything

rest: ## check with KeePassXC, the examples, and the build without the Secret Service (PARTS=NAMES)
	@Tests/Support/ensure-packages test
	@Tests/Support/guard-places $(MAKE) --no-print-directory rest-checks

checks: place # what `make test` does once the packages are there
	@$(MAKE) --no-print-directory lint all
	LANYARD_BIN_DIR="$$(cd $(BIN) && pwd -P)" Tests/Support/check-versions $(EXECUTABLES) \
	    $(AGENT) $(PLUGIN)
	LANYARD_BIN_DIR="$$(cd $(BIN) && pwd -P)" Tests/Support/check-man-pages
	LANYARD_BIN_DIR="$$(cd $(BIN) && pwd -P)" Tests/IndependentReader/test
	Tests/Support/check-sbom $(SBOM) .build $(EXECUTABLES)
	Tests/Support/check-signature
	Tests/Support/check-team-model 1 BINDING
	SWIFT="$(SWIFT)" LANYARD_PROGRAMS=no LANYARD_BIN_DIR="$$(cd $(BIN) && pwd -P)" \
	    Tests/Support/all-tests $(DEBUG)

rest-checks: place # what `make rest` does once the packages are there
	@$(foreach part,$(filter-out $(PARTS),$(ALL_PARTS)),echo 'skipped: $(part), not in PARTS';)
	@[ -z "$(filter keepassxc,$(PARTS))" ] || [ "$(SECRET_SERVICE)" = no ] || \
	    SWIFT="$(SWIFT)" LANYARD_PROGRAMS=no Tests/Support/swift-test $(DEBUG) -- \
	    --filter '^EndToEndDesktop\.KeePassXCConformanceTests'
	@[ -z "$(filter examples,$(PARTS))" ] || [ ! -d Tests/Examples ] || \
	    SWIFT="$(SWIFT)" Tests/Support/run-examples $(FOR_TESTS)
	@[ -z "$(filter without-secret-service,$(PARTS))" ] || [ "$(SECRET_SERVICE)" = no ] || \
	    SWIFT="$(SWIFT)" Tests/Support/without-secret-service $(WITHOUT_SECRET_SERVICE)

quick: place ## run the unit tests, which need no more packages than the build
	@Tests/Support/ensure-packages build
	$(SWIFT) build $(DEBUG) --build-tests
	@Tests/Support/unit-tests "$$(Tests/Support/test-bundle $(DEBUG))"

fuzz: ## fuzz everything that reads foreign bytes (FUZZ_SECONDS=60 for each target)
	@Tests/Support/ensure-packages build
	@SWIFT="$(SWIFT)" Tests/Fuzzing/run

sanitize: ## run the tests under the address and the thread sanitizer (FILTER=REGEX, TEST_TARGETS=NAMES)
	@Tests/Support/ensure-packages test
	@SWIFT="$(SWIFT)" SANITIZERS="$(SANITIZERS)" TRAITS="$(TRAITS)" \
	    Tests/Support/sanitize '$(FILTER)' '$(TEST_TARGETS)'

torture: ## try to lose or damage logins at random (TORTURE_MINUTES=5, TORTURE_SEED=N)
	@Tests/Support/ensure-packages test
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
	    Tests/Support/run-tests .build/torture/release/lanyardPackageTests.xctest --filter TeamTorture

mutate: ## put small faults into a copy of the sources, and see that tests notice (PATCHES=NAMES)
	@Tests/Support/ensure-packages unit
	@SWIFT="$(SWIFT)" FLAGS="$(DEBUG)" Tests/Support/guard-places Tests/Support/mutate $(PATCHES)

check-certificates: ## compare certificates with what swift-certificates reads (builds it, needs a network)
	@Tests/Support/ensure-packages test
	@$(MAKE) --no-print-directory all
	@SWIFT="$(SWIFT)" LANYARD_BIN_DIR="$$(cd $(BIN) && pwd -P)" Tests/Support/check-certificates

check-team-model: ## look at every run of a model of teams, with spin (TEAM_CHANGES=2)
	@Tests/Support/ensure-packages test
	Tests/Support/check-team-model $(or $(TEAM_CHANGES),2) BINDING RENEWAL MEMORY RETURN FILTER

check-wrappers: ## run the tests of libraries that wrap Keychain Services (fetches them)
	@Tests/Support/ensure-packages test
	@$(MAKE) --no-print-directory all
	@SWIFT="$(SWIFT)" LANYARD_BIN_DIR="$$(cd $(BIN) && pwd -P)" \
	    Tests/Support/guard-places Tests/Support/check-wrappers

check-vectors: ## compare certificates and keys with NIST's and Wycheproof's vectors (fetches them)
	@Tests/Support/ensure-packages unit
	$(SWIFT) build $(DEBUG) --build-tests
	@SWIFT="$(SWIFT)" Tests/Support/check-vectors $(DEBUG)

check-systemd: ## seal machine keys with the systemd of Debian 13, with a TPM and without (makes a root, needs a network)
	@$(MAKE) --no-print-directory all
	@LANYARD_BIN_DIR="$$(cd $(BIN) && pwd -P)" Tests/Support/check-systemd

check-secret-service: ## run the tests of libraries for the Secret Service (fetches them)
	@Tests/Support/ensure-packages test
	@$(MAKE) --no-print-directory all
	@LANYARD_BIN_DIR="$$(cd $(BIN) && pwd -P)" Tests/Support/guard-places Tests/Support/check-secret-service

compare-helpers: ## ask both builds of lanyard-helper the same, and compare their answers (COMPARE='tools teams')
	@Tests/Support/ensure-packages test
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
	    LANYARD_BIN_DIR="$$(cd $(BIN) && pwd -P)" Tests/Support/guard-places Tests/Support/compare-helpers \
	    .build/ordinary/$(HELPER) .build/embedded/$(HELPER) $(COMPARE)

bench: ## measure the programs next to their peers (ROUNDS=51, BENCH_MILLION=no, BENCH_KEEP=1)
	@Tests/Support/ensure-packages bench
	@$(MAKE) --no-print-directory all
	@SWIFT="$(SWIFT)" LANYARD_BIN_DIR=$(BIN) Tests/Benchmarks/run

order: ## write helpers/embedded/order.txt: what a git get calls lies together in the program (needs valgrind)
	@$(MAKE) --no-print-directory all
	@SWIFT="$(SWIFT)" helpers/embedded/order .build/embedded
	@$(MAKE) --no-print-directory all

git-suite: ## run git's own tests of credential helpers (GIT_SOURCE=a built git tree)
	@[ -z "$(GIT_SOURCE)" ] || $(MAKE) --no-print-directory all
	@GIT_SOURCE="$(GIT_SOURCE)" LANYARD_BIN_DIR=$(BIN) Tests/Support/git-suite

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
	$(MAKE) --no-print-directory install DESTDIR=.build/archive/$(ARCHIVE) PREFIX= \
	    UNIT_FOLDER=share/systemd/user UNIT_PREFIX=@PREFIX@
	@cp helpers/install.sh README.md SECURITY.md CHANGELOG.md LICENSE .build/archive/$(ARCHIVE)
	@cp debian/copyright .build/archive/$(ARCHIVE)/COPYRIGHT
	@cd .build/archive/$(ARCHIVE) && find bin lib libexec share -type f | LC_ALL=C sort | \
	    xargs sha256sum >SHA256SUMS
	tar -C .build/archive --format=ustar --sort=name --mtime=@$(EPOCH) --owner=0 --group=0 \
	    --numeric-owner --mode=u=rwX,go=rX -c $(ARCHIVE) | gzip -9n >$(DIST)/$(ARCHIVE).tar.gz
	@$(MAKE) --no-print-directory sums

deb: ## build the Debian packages
	@Tests/Support/ensure-packages package
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
	@Tests/Support/ensure-packages package
	@$(MAKE) --no-print-directory deb archive
	Tests/Packages/test $(DIST)

check-elsewhere: ## use the archive on Debian 13 and Ubuntu 24.04 (as root, with a network)
	@$(MAKE) --no-print-directory all archive
	Tests/Packages/elsewhere $(DIST) trixie noble

record: ## record the session in the README: Tests/Demo/lanyard.cast and .svg (as root, with a network)
	@Tests/Support/ensure-packages record
	@$(MAKE) --no-print-directory deb
	Tests/Demo/record

# A relative one would be taken from the folder of this file, and from anywhere in the installed units.
absolute-prefix:
	@case "$(PREFIX)" in ''|/*) ;; *) \
	    echo 'lanyard: error: PREFIX must be an absolute path, not $(PREFIX)' >&2; \
	    echo 'lanyard: hint: make $(firstword $(MAKECMDGOALS)) PREFIX="$$PWD/$(PREFIX)"' >&2; exit 64;; \
	esac

install: absolute-prefix ## install below PREFIX (/usr/local), staged in DESTDIR
	@for name in $(EXECUTABLES); do \
	    [ -x "$(BIN)/$$name" ] || exec $(MAKE) --no-print-directory all; \
	done
	@[ -d .build/completions ] || helpers/completions/generate $(BIN)/lanyard .build/completions
	install -d "$(DESTDIR)$(PREFIX)/bin" "$(DESTDIR)$(PREFIX)/libexec/lanyard"
	@set -e; for name in $(COMMANDS); do \
	    install -m 755 "$(BIN)/$$name" "$(DESTDIR)$(PREFIX)/bin/$$name"; \
	done
	install -m 755 "$(BIN)/$(HELPER)" "$(DESTDIR)$(PREFIX)/libexec/lanyard/$(HELPER)"
	@ln -sfn lanyard "$(DESTDIR)$(PREFIX)/bin/$(AGENT)"
	@[ -z "$(PLUGIN)" ] || \
	    ln -sfn ../../bin/$(SERVICE) "$(DESTDIR)$(PREFIX)/libexec/lanyard/$(PLUGIN)"
	@set -e; for name in $$($(BIN)/$(HELPER) --names); do \
	    ln -sfn $(HELPER) "$(DESTDIR)$(PREFIX)/libexec/lanyard/$$name"; \
	    case $$name in \
	    lanyard-*) ;; \
	    *) ln -sfn ../libexec/lanyard/$(HELPER) "$(DESTDIR)$(PREFIX)/bin/$$name" ;; \
	    esac; \
	done
	@install -d "$(DESTDIR)$(PREFIX)/$(dir $(KEYRING))"
	@ln -sfn ../$(HELPER) "$(DESTDIR)$(PREFIX)/$(KEYRING)"
	@install -D -m 644 helpers/keyring-lanyard/$(notdir $(BACKEND)) "$(DESTDIR)$(PREFIX)/$(BACKEND)"
	@set -e; for page in man/*.[1578]; do \
	    install -D -m 644 "$$page" "$(DESTDIR)$(PREFIX)/share/man/man$${page##*.}/$${page#man/}"; \
	done
	@set -e; for file in $(COMPLETIONS); do \
	    install -D -m 644 ".build/completions/share/$$file" "$(DESTDIR)$(PREFIX)/share/$$file"; \
	done
	@set -e; [ -z "$(UNIT_PREFIX)" ] || for unit in $(UNITS); do \
	    file="$(DESTDIR)$(PREFIX)/$(UNIT_FOLDER)/$$unit"; \
	    install -D -m 644 "helpers/$$unit" "$$file"; \
	    sed -i 's|@PREFIX@|$(UNIT_PREFIX)|' "$$file"; \
	done
	@[ ! -s $(SBOM) ] || install -D -m 644 $(SBOM) "$(DESTDIR)$(PREFIX)/$(INSTALLED_SBOM)"

uninstall: absolute-prefix ## remove what install installed
	@find "$(DESTDIR)$(PREFIX)/bin" -lname '*/lanyard/$(HELPER)' -delete
	@find "$(DESTDIR)$(PREFIX)/libexec/lanyard" -lname $(HELPER) -delete
	@set -e; for name in $(EXECUTABLES) $(AGENT) $(PLUGIN); do \
	    rm -f "$(DESTDIR)$(PREFIX)/bin/$$name" "$(DESTDIR)$(PREFIX)/libexec/lanyard/$$name"; \
	done
	@set -e; for page in man/*.[1578]; do \
	    rm -f "$(DESTDIR)$(PREFIX)/share/man/man$${page##*.}/$${page#man/}"; \
	done
	@set -e; for file in $(COMPLETIONS); do rm -f "$(DESTDIR)$(PREFIX)/share/$$file"; done
	@set -e; for unit in $(UNITS); do rm -f "$(DESTDIR)$(PREFIX)/$(UNIT_FOLDER)/$$unit"; done
	@rm -f "$(DESTDIR)$(PREFIX)/$(INSTALLED_SBOM)" "$(DESTDIR)$(PREFIX)/$(KEYRING)" \
	    "$(DESTDIR)$(PREFIX)/$(BACKEND)"
	@rmdir "$(DESTDIR)$(PREFIX)/$(dir $(KEYRING))" "$(DESTDIR)$(PREFIX)/$(dir $(BACKEND))" \
	    "$(DESTDIR)$(PREFIX)/lib/lanyard" "$(DESTDIR)$(PREFIX)/libexec/lanyard" \
	    "$(DESTDIR)$(PREFIX)/share/doc/lanyard" 2>/dev/null || :

format: ## format the Swift code in place
	ulimit -S -n "$$(ulimit -H -n)" && $(SWIFT) format -i -r -p $(SOURCES)

lint: ## check the form of scripts, man pages and Swift code
	@SWIFT="$(SWIFT)" Tests/Support/lint $(SOURCES)

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
	@printf '%s\n' $(EXECUTABLES) $(AGENT) $(PLUGIN) $$($(BIN)/$(HELPER) --names)

help: ## list these targets
	@sed -n 's/^\([a-z-]*\):.*## /\1	/p' Makefile | expand -t 20
