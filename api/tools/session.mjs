// A session with our server through Prism's validating proxy: every endpoint, in
// every form, and every documented status that can be provoked from outside. It
// fails if an answer is not what the document says, if a documented status was
// not seen, and if nothing was asked.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openapi, prism, program, serve, started, stop, stopAll } from "./processes.mjs";

const forms = ["application/json", "text/csv", "application/x-ndjson", "application/vnd.apache.parquet"];

const dir = mkdtempSync(join(tmpdir(), "sightline-contract-"));
const data = join(dir, "data");
let asked = 0;
const seen = new Set(); // route and status

// The document as JSON, which needs no reader of YAML here.
function bundled() {
  const file = join(dir, "openapi.json");
  execFileSync(process.execPath, ["node_modules/@redocly/cli/bin/cli.js", "bundle", openapi, "--ext", "json", "--output", file], { stdio: "ignore" });
  return JSON.parse(readFileSync(file, "utf8"));
}

// complaint is what Prism has to say about an answer. Some of it is no more than a
// warning to Prism; to us all of it is a mistake.
function complaint(response, body) {
  return response.headers.get("sl-violations") ?? (body.includes("stoplight.io/prism/errors") ? body.toString() : null);
}

// ask sends a request through Prism, which answers for itself what it refuses.
async function ask(proxy, key, request, want) {
  const headers = { ...(key && { Authorization: `Bearer ${key}` }), ...request.headers };
  const response = await fetch(proxy + request.target, { headers, redirect: "manual" });
  const body = Buffer.from(await response.arrayBuffer());
  asked++;
  assert.equal(complaint(response, body), null, `${request.target} ${JSON.stringify(request.headers ?? {})}: Prism complains`);
  if (want !== undefined) assert.equal(response.status, want, `${request.target}: ${body.subarray(0, 300)}`);
  assert.ok(response.headers.get("sightline-request-id"), `${request.target}: Prism answered itself: ${body.subarray(0, 300)}`);
  seen.add(`${request.route} ${response.status}`);
  return { response, body };
}

// requests are the documented routes with the parameters that fit the demo.
function requests() {
  const day = (n) => new Date(Date.now() - n * 86_400_000).toISOString().slice(0, 10);
  const window = { dateFrom: `${day(14)}T00:00:00Z`, dateTo: `${day(1)}T23:59:59Z` };
  const prompts = { domain: "taskharbor.example", ...window };
  const base = "/v1/products/{productId}";
  const request = (route, ...queries) => queries.map((query) => ({
    route, target: route.replace("{productId}", "101") + (Object.keys(query).length ? `?${new URLSearchParams(Object.entries(query).flatMap(([k, v]) => [v].flat().map((one) => [k, one])))}` : ""),
  }));
  return [
    ...request("/v1/products", {}),
    ...request(`${base}/websites`, {}),
    ...request(`${base}/prompts`, prompts, { ...prompts, "platforms[]": ["openai", "perplexity"] }, { ...prompts, domain: "nothing.example" }),
    ...request(`${base}/prompts/summary`, prompts, { ...prompts, domain: "nothing.example" }),
    ...request(`${base}/prompts/dates`, prompts),
    ...request(`${base}/citations`, ...["all", "property", "page", "product", "byPage"].map((groupBy) => ({ ...prompts, groupBy }))),
    ...request(`${base}/analytics/timeseries`, window, { ...window, interval: "week", "metrics[]": ["bot_visits", "unique_pages"], "groupBy[]": ["platform", "botType"], page: 2, perPage: 5, topLimit: 3 },
      { ...window, "groupBy[]": "normalizedUrlPath", perPage: 100_000 }, { ...window, websiteId: "w-nothing" }),
  ];
}

// everyForm asks all there is in all forms, and again with the tag of the answer.
async function everyForm(proxy, key) {
  for (const one of requests()) {
    for (const accept of forms) {
      const { response, body } = await ask(proxy, key, { ...one, headers: { Accept: accept } }, 200);
      assert.equal(response.headers.get("content-type").split(";")[0], accept, one.target);
      assert.ok(body.length > 0 || accept === "application/x-ndjson", one.target);
      const etag = response.headers.get("etag");
      if (etag) await ask(proxy, key, { ...one, headers: { Accept: accept, "If-None-Match": etag } }, 304);
    }
  }
  await ask(proxy, "", { route: "/docs", target: "/docs" }, 200);
}

// refused asks what has to be refused, in every form: errors are always JSON.
async function refused(proxy, key) {
  for (const one of requests()) {
    for (const accept of forms) {
      const headers = { Accept: accept };
      const answers = [await ask(proxy, "sl_wrong", { ...one, headers }, 401)]; // without any key Prism answers itself
      if (one.target.includes("/101/")) answers.push(await ask(proxy, key, { ...one, target: one.target.replace("/101/", "/999/"), headers }, 401));
      if (one.target.includes("?")) answers.push(await ask(proxy, key, { ...one, target: one.target.replace("dateFrom=", "dateFrom=x"), headers }, 400));
      for (const { response } of answers) assert.equal(response.headers.get("content-type"), "application/json");
    }
  }
}

// failing asks a server that has no time for a report, and one that has no place.
async function failing(key) {
  const late = await serve(data, "--query-timeout", "1ns");
  const proxy = await prism(late.url, { wrongRequests: true });
  const reports = [...new Map(requests().reverse().map((one) => [one.route, one])).values()].filter((one) => one.target.includes("?"));
  for (const one of reports) await ask(proxy, key, { ...one, headers: { Accept: "text/csv" } }, 500);
  await stop(late.child);

  const full = await serve(data, "--max-queries", "1", "--max-queue", "1", "--max-wait", "1ns");
  const crowded = await prism(full.url, { wrongRequests: true });
  for (let round = 0; round < 20 && reports.some((one) => !seen.has(`${one.route} 503`)); round++) {
    // Unlike questions are asked at once; like ones would wait for one answer.
    const apart = reports.flatMap((one) => [...Array(4).keys()].map((n) => ({ ...one, target: `${one.target}&platforms[]=${round}-${n}` })));
    await Promise.all(apart.map((one) => ask(crowded, key, one)));
  }
  await stop(full.child);
}

// caught proves that Prism would complain: about a field, a status and a type.
async function caught(key) {
  const wrong = [[200, "application/json", '{"rank":"high"}'], [418, "application/json", '{"message":"Teapot."}'], [200, "text/plain", "x"]];
  for (const [status, type, body] of wrong) {
    const broken = createServer((_, res) => { res.writeHead(status, { "Content-Type": type }); res.end(body); }).listen(0, "127.0.0.1");
    await new Promise((done) => broken.once("listening", done));
    const proxy = await prism(`http://127.0.0.1:${broken.address().port}`);
    const target = requests().find((one) => one.route.endsWith("/summary")).target;
    const response = await fetch(proxy + target, { headers: { Authorization: `Bearer ${key}` } });
    const text = await response.text();
    assert.ok(complaint(response, text), `a broken answer passes: ${status} ${type} ${body}: ${text}`);
    broken.close();
  }
}

// unseen are documented statuses that were not met. The two lists come from the
// catalog in memory: no request from outside makes them fail. Prism reads no YAML
// and takes the document itself for text; tests in Go hold it to its schema.
function unseen(document) {
  const lists = ["/v1/products", "/v1/products/{productId}/websites"];
  const cannot = (route, status) => route === "/openapi.yaml" || (lists.includes(route) && ["500", "503"].includes(status));
  return Object.entries(document.paths).flatMap(([route, { get }]) =>
    Object.keys(get.responses).filter((status) => !seen.has(`${route} ${status}`) && !cannot(route, status)).map((status) => `${route} ${status}`));
}

try {
  const document = bundled();
  const demo = await started(program, ["demo", "--data", data, "--listen", "127.0.0.1:0", "--dashboard", "127.0.0.1:0"], /explained: (http:\S+)\/docs/);
  const key = readFileSync(join(data, "demo-key"), "utf8").trim();
  await everyForm(await prism(demo.found[1]), key);
  await refused(await prism(demo.found[1], { wrongRequests: true }), key);
  await stop(demo.child);
  await failing(key);
  await caught(key);
  assert.deepEqual(unseen(document), [], "documented, and not seen");
  assert.ok(asked > 0, "nothing was asked");
  console.log(`${asked} answers to ${seen.size} documented routes and statuses passed Prism`);
} finally {
  await stopAll();
  rmSync(dir, { recursive: true, force: true });
}
