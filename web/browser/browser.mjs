// A browser that writes down everything that reaches it.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { chromium } from "playwright-core";

const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

export const launch = () => chromium.launch({
  executablePath: process.env.CHROMIUM || "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});

export const screens = {
  wide: { viewport: { width: 1360, height: 900 } },
  phone: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
  narrow: { viewport: { width: 320, height: 640 } },
  huge: { viewport: { width: 2560, height: 1300 } },
};

// visit opens a context with one page. Its complaints are what must stay empty.
export async function visit(browser, options = {}) {
  const context = await browser.newContext({ ...screens.wide, reducedMotion: "reduce", ...options });
  const page = await context.newPage();
  const complaints = [], received = [], waiting = [];
  page.on("console", (m) => { if (["error", "warning"].includes(m.type())) complaints.push(`${m.type()}: ${m.text()} (${page.url()})`); });
  page.on("pageerror", (e) => complaints.push(`exception: ${e.message}`));
  page.on("requestfailed", (r) => { // leaving a page early is no failure
    if (r.failure()?.errorText !== "net::ERR_ABORTED") complaints.push(`failed: ${r.url()} ${r.failure()?.errorText}`);
  });
  await context.exposeFunction("reportViolation", (text) => complaints.push(`CSP: ${text}`)).catch(() => {});
  await context.addInitScript(() => addEventListener("securitypolicyviolation", (e) => reportViolation(`${e.violatedDirective} ${e.blockedURI}`)));
  context.on("response", (r) => {
    received.push(r.url(), JSON.stringify(r.headers()));
    waiting.push(r.body().then((b) => received.push(b.toString("latin1")), () => {}));
  });
  const everything = async () => {
    await Promise.all(waiting);
    const kept = await page.evaluate(() => document.cookie + JSON.stringify(localStorage) + JSON.stringify(sessionStorage) + document.documentElement.outerHTML);
    return [...received, kept, JSON.stringify(await context.cookies())].join("\n");
  };
  return { context, page, complaints, everything };
}

// violations runs axe with every rule of WCAG 2.2 A and AA and the best practices.
export async function violations(page) {
  await page.evaluate(axeSource);
  const result = await page.evaluate(() => axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] }));
  if (result.passes.length < 15) throw new Error(`axe looked at ${result.passes.length} rules only`);
  return result.violations.map((v) => `${page.url()}: ${v.id}: ${v.help}: ${v.nodes.map((n) => n.html.slice(0, 160)).join(" | ")}`);
}

// wire returns how many bytes a page takes with an empty cache.
export async function wire(browser, url) {
  const context = await browser.newContext(screens.wide);
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send("Network.enable");
  let bytes = 0;
  session.on("Network.loadingFinished", (e) => { bytes += e.encodedDataLength; });
  const response = await page.goto(url, { waitUntil: "networkidle" });
  const timing = /dur=([\d.]+)/.exec(response.headers()["server-timing"] || "");
  await context.close();
  return { bytes, milliseconds: timing ? Number(timing[1]) : NaN };
}
