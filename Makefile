# 'make' alone prints the targets. They need Go, gcc and make, nothing else.
.DEFAULT_GOAL := help
BIN := bin/sightline
GO := go
# Neither the folder nor the time of a build shows in what comes out: see make reproducible.
BUILD = $(GO) build -trimpath -buildvcs=false -ldflags "-X main.version=$(VERSION)"
VERSION := $(shell git describe --tags --always --dirty 2>/dev/null || echo unknown)
# Fuzzing and the long comparison with the oracle take as long as you give them.
FUZZTIME ?= 60s
CHECKS ?= 300
KILLS ?= 200
FAULTS ?= 100

.PHONY: help
help: ## print this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: build
build: ## build bin/sightline
	@mkdir -p bin
	$(BUILD) -o $(BIN) ./cmd/sightline

.PHONY: demo
demo: build ## a demo workspace with 90 days of data, the API and the dashboard on it (Ctrl-C stops)
	@./$(BIN) demo

# Many tests wait, for servers that start and for things to be noticed: one package
# more than there are cores runs at once.
AT_ONCE := -p $(shell echo $$(( $$(nproc 2>/dev/null || echo 1) + 1 )))

.PHONY: test
test: ## all tests that this machine can run
	@skipped=$$(mktemp); SIGHTLINE_SKIPPED=$$skipped $(GO) test $(AT_ONCE) -shuffle=on -timeout 20m ./... || exit 1; \
	if [ -s $$skipped ]; then echo; echo "SKIPPED on this machine (install what is missing, or run as root, and run make test again):"; cat $$skipped; \
	else echo "All tests ran; nothing was skipped."; fi; rm -f $$skipped

# Every program that the detector has looked at waits a second when it ends, for
# races in its other threads; the tests start hundreds of programs. What is random
# is drawn anew in each run, so the worlds and kills of test and race add up; make
# oracle and make kills are for many.
RACE := GORACE=atexit_sleep_ms=20 SIGHTLINE_KILLS=9 SIGHTLINE_KILLS_CLICKHOUSE=3 SIGHTLINE_WORLDS=5 SIGHTLINE_ROOM=400
# Where nothing runs at the same time there is no race, as internal/house sees to;
# what looks at the program from outside starts one that was built without the detector.
# make lint and make test have vetted the code.
ALONE := internal/demo internal/export internal/oracle/random internal/show
OUTSIDE := /bench/ /internal/house$$ /internal/tools/

# Two shards run all of the code that one server and today's engine do.
FEWER_ENGINES := -skip "/clickhouse on one server|/today's clickhouse engine"

.PHONY: race
race: ## all tests under the race detector, with fewer random worlds, kills and engines; not of packages that start nothing, or look from outside
	$(RACE) $(GO) test $(AT_ONCE) $(FEWER_ENGINES) -race -vet=off -shuffle=on -timeout 30m $$($(GO) list ./... | grep -v $(patsubst %,-e '%',$(ALONE:%=/%$$) $(OUTSIDE)))

.PHONY: shuffle
shuffle: ## all tests three times, each time in another order
	$(GO) test -shuffle=on -count=3 -timeout 1h ./...

.PHONY: lint
lint: ## gofmt, go vet and staticcheck
	@test -z "$$(gofmt -l api bench client cmd deploy internal web)" || { echo "not formatted:"; gofmt -l api bench client cmd deploy internal web; exit 1; }
	$(GO) vet ./...
	$(GO) tool staticcheck ./...

.PHONY: check
check: lint test race ## what CI runs

.PHONY: oracle
oracle: ## a long comparison with the oracle: CHECKS worlds of 40 requests, a new seed each time
	$(GO) test ./internal/e2e -run TestServerAgreesWithTheOracle -count=1 -v -rapid.checks=$(CHECKS) -timeout 2h

.PHONY: fuzz
fuzz: ## every fuzz target for FUZZTIME
	@set -e; for p in $$($(GO) list ./...); do \
	  for f in $$($(GO) test $$p -list '^Fuzz' | grep '^Fuzz' || true); do \
	    echo "$$p $$f"; $(GO) test $$p -run '^$$' -fuzz "^$$f\$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 1s; done; done

# The last isbot that has its browsers in it; the browsers of today are in user-agents.
STRINGS := crawler-user-agents@1.60.0 isbot@2.2.2 user-agents@2.1.198

.PHONY: strings
strings: ## the table of agents on real user agents; needs npm and the network
	@dir=$$(mktemp -d) || exit 1; trap 'rm -rf "$$dir"' EXIT; \
	npm install --prefix "$$dir" --ignore-scripts --no-audit --no-fund --loglevel=error $(STRINGS) && \
	SIGHTLINE_STRINGS="$$dir/node_modules" $(GO) test -tags strings ./internal/agents -run '^TestReal' -count=1 -v

# Needs npm and Debian's chromium; CHROMIUM names another one.
BROWSER := cd web/browser && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error && SIGHTLINE_BIN=$(CURDIR)/$(BIN)

.PHONY: browser
browser: build ## the dashboard in Chromium: every page, axe, the keyboard, the key; needs npm and chromium
	$(BROWSER) node --test dashboard.test.mjs

.PHONY: pictures
pictures: build ## take the dashboard's pictures in docs/pictures again
	$(BROWSER) SIGHTLINE_PICTURES=$(CURDIR)/docs/pictures node --test --test-name-pattern=pictures dashboard.test.mjs

.PHONY: contract
contract: build ## lint the OpenAPI document, and hold a session with the demo to it through Prism; needs npm
	cd api/tools && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error && \
	  node_modules/.bin/redocly lint --config redocly.yaml ../openapi.yaml && \
	  SIGHTLINE_BIN=$(CURDIR)/$(BIN) node session.mjs

.PHONY: manifests
manifests: ## hold the files of deploy/ to the parsers of BuildKit, Compose and Kubernetes
	cd deploy/lint && $(GO) vet ./... && $(GO) test ./... -count=1

.PHONY: kills
kills: ## kill loads into the data directory at KILLS random moments, and compare what is published
	SIGHTLINE_KILLS=$(KILLS) $(GO) test ./cmd/sightline -run TestKillingALoadLeaves -count=1 -v -timeout 1h

.PHONY: kills-forget
kills-forget: ## kill 'sightline forget' at KILLS random moments, and compare what is published
	SIGHTLINE_KILLS_FORGET=$(KILLS) $(GO) test ./cmd/sightline -run TestKillingAForget -count=1 -v -timeout 1h

.PHONY: kills-clickhouse
kills-clickhouse: ## kill loads into two ClickHouse shards at KILLS random moments; needs clickhouse-server
	SIGHTLINE_KILLS_CLICKHOUSE=$(KILLS) $(GO) test ./cmd/sightline -run TestKillingALoadIntoShards -count=1 -v -timeout 1h

.PHONY: faults
faults: ## break files at FAULTS random places, and take backups beside FAULTS loads; a new seed each time
	$(GO) test ./internal/facts/duckdb -run 'Damage|Flip|Manifest|Engine|Clock' -count=1 -v -timeout 1h -args -faults.rounds=$(FAULTS)
	SIGHTLINE_BACKUP_LOADS=$(FAULTS) $(GO) test ./cmd/sightline -run 'Damaged|Destroyed|Backup' -count=1 -v -timeout 1h

# The number of the format of the facts: manifestVersion in internal/facts/duckdb.
FORMAT := $(shell sed -n 's/.*manifestVersion *= *\([0-9]*\).*/\1/p' internal/facts/duckdb/manifest.go)

.PHONY: fixture
fixture: ## write the directory of today's format that must open for ever, and its golden answers; read the diff
	SIGHTLINE_FIXTURE=$(FORMAT) $(GO) test ./cmd/sightline -run TestMakeTheFixture -count=1

.PHONY: bench-logs
bench-logs: build ## load 2 million log lines beside GoAccess, and 20 million alone; writes bench/logs/RESULTS.md
	@command -v goaccess >/dev/null || { apt-get update -qq && apt-get install -y -qq --no-install-recommends goaccess; }
	$(GO) run ./bench/logs

# Stress takes as long as you give it; STRESS="--seed 7 --rate 200" for other flags.
REQUESTS ?= 1000000
PUBLISHES ?= 100
DURATION ?= 30m
STRESS ?=

.PHONY: stress
stress: stress-fuzz stress-publish stress-soak stress-overload ## all four kinds of stress, one after the other, on a quiet machine

.PHONY: stress-fuzz
stress-fuzz: build ## REQUESTS random requests, valid and broken: no 5xx, nothing of other teams, no growth
	$(GO) run ./bench/stress fuzz --requests $(REQUESTS) $(STRESS)

.PHONY: stress-publish
stress-publish: build ## PUBLISHES loads under DURATION of requests: every answer is that before or after, p99 at most doubles
	$(GO) run ./bench/stress publish --publishes $(PUBLISHES) --duration $(DURATION) $(STRESS)

.PHONY: stress-soak
stress-soak: build ## DURATION (8h for the whole) of requests, publishes, applies and key changes: memory does not grow
	$(GO) run ./bench/stress soak --duration $(DURATION) $(STRESS)

.PHONY: stress-overload
stress-overload: build ## ten times more requests than can run: 503 within 50 ms, memory within its limit, well after 5 s
	$(GO) run ./bench/stress overload $(STRESS)

# Today's ClickHouse as a library from npm.
CHDB := .cache/chdb/node_modules/@chdb/lib-linux-x64-gnu/libchdb.so
BENCH ?=

$(CHDB):
	@mkdir -p .cache/chdb
	npm install --prefix .cache/chdb --ignore-scripts --no-audit --no-fund --loglevel=error @chdb/lib-linux-x64-gnu@26.5.3

.PHONY: chdb
chdb: $(CHDB) ## golden cases and oracle on today's ClickHouse engine; needs npm and the network, 560 MB
	SIGHTLINE_CHDB=$(CURDIR)/$(CHDB) $(GO) test ./internal/e2e -run "/today's" -count=1 -v

# 5,000 random requests on every engine: a world costs ClickHouse seconds, a request milliseconds.
oracle-engines: CHECKS = 50

.PHONY: oracle-engines
oracle-engines: $(CHDB) ## CHECKS worlds of 100 requests on every engine and both catalogs; prints seed, progress and the requests compared on each
	SIGHTLINE_CHDB=$(CURDIR)/$(CHDB) $(GO) test ./internal/e2e -run 'TestServerAgreesWithTheOracle|TestTheOracleAgrees' -count=1 -v -rapid.checks=$(CHECKS) -requests=100 -timeout 12h

.PHONY: bench
bench: build $(CHDB) ## Sightline beside DuckDB, PostgreSQL and ClickHouse; writes bench/RESULTS.md; BENCH="--visits 200000" for flags
	@need=; ls /usr/lib/postgresql/*/bin/postgres >/dev/null 2>&1 || need="$$need postgresql"; \
	for program in clickhouse-server wrk; do PATH=$$PATH:/usr/sbin command -v $$program >/dev/null || need="$$need $$program"; done; \
	test -z "$$need" || { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $$need; }
	$(GO) run ./bench/compare --chdb $(CHDB) $(BENCH)

.PHONY: sbom
sbom: build ## what bin/sightline is made of, in CycloneDX JSON: bin/sightline.cdx.json
	$(GO) run ./internal/tools/supply sbom $(BIN) >bin/sightline.cdx.json

.PHONY: licences
licences: build ## list the licences of all that is in bin/sightline, with their texts in bin/licences.txt; fails on an unknown one
	$(GO) run ./internal/tools/supply licences $(BIN) bin/licences.txt

# With CACHE=shared only linking is done twice, which takes seconds; with caches of their own, everything.
CACHE ?= own

.PHONY: reproducible
reproducible: ## build twice, in two folders and with empty caches, and compare the bytes; CACHE=shared is quick
	internal/tools/reproducible "$(VERSION)" $(CACHE)

.PHONY: golden
golden: ## record the golden cases again; read the diff before you commit it
	$(GO) test ./internal/e2e -run TestGolden -count=1 -update

.PHONY: clean
clean: ## remove what was built, and the demo's data
	rm -rf bin demo-data
