// Every page of the dashboard, as a person meets it.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { launch, screens, violations, visit, wire } from "./browser.mjs";
import { password, start } from "./demo.mjs";

let demo, browser;
before(async () => { demo = await start(); browser = await launch(); }, { timeout: 300_000 });
after(async () => { await browser?.close(); await demo?.stop(); });

const pages = {
  overview: "/", prompts: "/prompts?sort=visibility&order=down", prompt: "/prompt?prompt=what+is+Taskharbor", platforms: "/prompts?view=platform",
  citations: "/citations", "cited pages": "/citations?by=page", "cited products": "/citations?by=product", traffic: "/traffic", weeks: "/traffic?interval=week&last=90d",
  empty: "/?from=2020-01-01&to=2020-01-07",
};

for (const [name, path] of Object.entries(pages)) {
  test(`${name}: opens without a complaint, is accessible, fits every screen`, async () => {
    for (const [screen, options] of Object.entries(screens)) {
      for (const colorScheme of screen === "wide" ? ["light", "dark"] : ["light"]) {
        const { context, page, complaints } = await visit(browser, { ...options, colorScheme });
        const response = await page.goto(demo.open + path);
        assert.equal(response.status(), 200);
        await page.evaluate(() => document.querySelectorAll("details:not(.switch)").forEach((d) => { d.open = true; }));
        if (screen === "wide" || screen === "phone") assert.deepEqual(await violations(page), [], `${screen}, ${colorScheme}`);
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.ok(overflow <= 0, `${screen}: ${overflow} pixels too wide`);
        assert.deepEqual(complaints, []);
        await context.close();
      }
    }
  });
}

test("charts are drawn from their tables", async () => {
  const { context, page, complaints } = await visit(browser);
  for (const [path, charts] of [["/", 7], ["/prompt?prompt=what+is+Taskharbor", 1], ["/traffic", 2]]) {
    await page.goto(demo.open + path);
    const canvases = await page.$$eval(".chart canvas", (all) => all.filter((c) => {
      const pixels = c.getContext("2d").getImageData(0, 0, c.width, c.height).data;
      return new Set(new Uint32Array(pixels.buffer)).size > 3;
    }).length);
    assert.equal(canvases, charts, path);
  }
  assert.deepEqual(complaints, []);
  await context.close();
});

test("legends without a pointer are names alone, and have figures and a date with one", async () => {
  const { context, page } = await visit(browser);
  await page.goto(demo.open + "/traffic?interval=week&last=90d");
  const legend = page.locator(".u-legend").first();
  const shown = () => legend.evaluate((l) => [...l.querySelectorAll("th")].map((th) => getComputedStyle(th, "::after").content).join("") + " " + l.innerText);
  assert.doesNotMatch(await shown(), /:|–|Date|\d/);
  await page.locator(".chart .u-over").first().hover();
  assert.match(await shown(), /\d.*\d+ (Jan|Feb|Mar|Apr|May|June|July|Aug|Sept|Oct|Nov|Dec)/s);
  await context.close();
});

test("controls stay together, and names of sources are whole on a phone", async () => {
  for (const width of [1024, 1280, 1360]) {
    const { context, page } = await visit(browser, { viewport: { width, height: 900 } });
    for (const path of ["/", "/prompts", "/traffic"]) {
      await page.goto(demo.open + path);
      const [show, other] = await page.evaluate(() => {
        const middle = (e) => { const r = e.getBoundingClientRect(); return (r.top + r.bottom) / 2; };
        const button = document.querySelector(".choose > button");
        return [middle(button), middle(button.previousElementSibling)];
      });
      assert.ok(Math.abs(show - other) < 12, `${path} at ${width}: Show stands alone`);
    }
    await context.close();
  }
  const { context, page } = await visit(browser, screens.phone);
  await page.goto(demo.open + "/");
  const lines = await page.$$eval("#h-citations ~ .scroll tbody th", (all) => all.map((th) => th.getBoundingClientRect().height / parseFloat(getComputedStyle(th).lineHeight)));
  assert.ok(lines.length > 3 && lines.every((n) => n < 1.6), `lines of the sources: ${lines}`);
  await context.close();
});

test("a filter narrows, its state is in the address, and the way back is there", async () => {
  const { context, page, complaints } = await visit(browser);
  await page.goto(demo.open + "/prompts?view=platform");
  const rows = () => page.locator(".prompts tbody tr").count();
  const before = await rows();
  await page.getByText("Filter", { exact: true }).click();
  await page.getByRole("checkbox", { name: "Claude" }).check();
  await page.getByRole("checkbox", { name: "brand" }).check();
  await page.getByRole("button", { name: "Apply" }).click();
  await page.waitForURL(/platform=claude/);
  const url = new URL(page.url());
  assert.deepEqual([url.searchParams.getAll("platform"), url.searchParams.getAll("label"), url.searchParams.get("view")], [["claude"], ["11"], "platform"]);
  const narrowed = await rows();
  assert.ok(narrowed > 0 && narrowed < before, `${narrowed} of ${before}`);
  assert.deepEqual(new Set(await page.$$eval(".prompts tbody td:nth-child(2)", (all) => all.map((c) => c.textContent.trim()))), new Set(["Claude"]));
  await page.getByRole("link", { name: "Clear the filters" }).click();
  await page.waitForURL((u) => !u.searchParams.has("platform"));
  assert.equal(await rows(), before);
  await page.getByRole("link", { name: "Visibility" }).click();
  await page.waitForURL(/sort=visibility/);
  const shares = await page.$$eval(".vis", (all) => all.map((c) => parseFloat(c.textContent)));
  assert.deepEqual(shares, [...shares].sort((a, b) => b - a));
  await page.locator(".prompts tbody a").first().click();
  await page.waitForURL(/\/prompt\?/);
  assert.ok(await page.getByRole("heading", { name: "By platform" }).isVisible());
  assert.deepEqual(complaints, []);
  await context.close();
});

test("periods are compared with those before", async () => {
  const { context, page } = await visit(browser);
  await page.goto(demo.open + "/?last=7d");
  await page.getByText("API calls behind these numbers").first().click();
  const calls = await page.locator("section:first-of-type .calls pre").allTextContents();
  const ask = async (call) => (await fetch(/'(.*)'/.exec(call)[1], { headers: { Authorization: `Bearer ${demo.key}` } })).json();
  const [now, then] = await Promise.all(calls.filter((c) => c.includes("/summary")).map(ask));
  const tile = await page.locator(".tile").first().textContent();
  assert.match(tile, new RegExp(`${(now.visibility * 100).toFixed(1)} %`));
  assert.match(tile, new RegExp(`was ${(then.visibility * 100).toFixed(1)} %`));
  assert.match(tile, /points (more|less)|as before/);
  assert.match(tile, /95 % sure: [\d.]+ % to [\d.]+ %, from [\d,]+ answers/);
  await page.getByLabel("From").fill("2026-01-01");
  await page.getByLabel("to", { exact: true }).fill("2026-01-02");
  await page.getByRole("button", { name: "Show" }).click();
  await page.waitForURL(/from=2026-01-01&to=2026-01-02/);
  assert.ok(await page.getByText("Nothing here for this period").first().isVisible());
  await page.getByRole("link", { name: "30 days" }).click();
  await page.locator(".switch summary").click();
  await page.getByRole("link", { name: "Inkfern" }).click();
  await page.waitForURL(/product=102/);
  assert.match(await page.title(), /Inkfern/);
  await context.close();
});

test("every table can be downloaded", async () => {
  const { context, page } = await visit(browser);
  let files = 0;
  for (const path of ["/", "/prompts", "/prompt?prompt=what+is+Taskharbor", "/citations", "/traffic"]) {
    await page.goto(demo.open + path);
    for (const link of await page.getByRole("link", { name: /Download (this table )?as CSV/ }).all()) {
      const [download] = await Promise.all([page.waitForEvent("download"), link.click()]);
      const text = readFileSync(await download.path(), "utf8");
      assert.match(download.suggestedFilename(), /^sightline-taskharbor-[a-z]+(-[a-z]+)*-\d{4}-\d\d-\d\d-\d{4}-\d\d-\d\d\.csv$/);
      assert.ok(text.split("\r\n").length > 2 && !text.includes(demo.key), path);
      files++;
    }
  }
  assert.ok(files === 15 || files === 14, `${files} files`); // on some days no prompt has changed
  await context.close();
});

test("the key never reaches the browser", async () => {
  for (const [base, paths] of [[demo.open, Object.values(pages)], [demo.locked, ["/login", "/"]], [demo.wrong, ["/"]]]) {
    const { context, page, everything } = await visit(browser);
    for (const path of [...paths, "/nothing", "/?from=x", "/prompts.csv?table=prompts&last=7d"]) {
      if (path.includes(".csv")) await page.evaluate((p) => fetch(p).then((r) => r.text()), path);
      else await page.goto(base + path);
    }
    const text = await everything();
    assert.ok(text.length > 40_000, `only ${text.length} bytes were looked at`);
    for (const part of [demo.key, demo.key.slice(3, 19), demo.key.slice(-16), btoa(demo.key).slice(4, 40), password]) assert.ok(!text.includes(part), base);
    await context.close();
  }
});

// tabTo goes on with Tab until something has the focus, and sees where it is.
async function tabTo(page, selector) {
  for (let i = 0; i < 200; i++) {
    await page.keyboard.press("Tab");
    const at = await page.evaluate((s) => {
      const e = document.activeElement, style = getComputedStyle(e);
      return { found: e.matches(s), seen: e === document.body || style.outlineStyle !== "none", what: e.outerHTML.slice(0, 120) };
    }, selector);
    assert.ok(at.seen, `the focus cannot be seen on ${at.what}`);
    if (at.found) return;
  }
  assert.fail(`${selector} cannot be reached`);
}

test("the keyboard alone is enough", async () => {
  const { context, page, complaints } = await visit(browser);
  await page.goto(demo.open + "/");
  await tabTo(page, ".skip");
  await page.keyboard.press("Enter");
  assert.equal(await page.evaluate(() => document.activeElement.id), "main");
  await page.goto(demo.open + "/");
  await tabTo(page, ".switch summary");
  await page.keyboard.press("Enter");
  await tabTo(page, '.switch a[href*="product=103"]');
  await page.keyboard.press("Escape");
  assert.ok(await page.evaluate(() => document.activeElement.matches(".switch summary") && !document.querySelector(".switch").open));
  await page.goto(demo.open + "/");
  await tabTo(page, '.pages a[href^="/prompts"]');
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/prompts/);
  await tabTo(page, ".more summary");
  await page.keyboard.press("Enter");
  await tabTo(page, 'input[value="openai"]');
  await page.keyboard.press("Space");
  await tabTo(page, ".more button");
  await page.keyboard.press("Enter");
  await page.waitForURL(/platform=openai/);
  await tabTo(page, 'th a[href*="sort=rank"]');
  await page.keyboard.press("Enter");
  await page.waitForURL(/sort=rank/);
  await tabTo(page, ".prompts tbody a");
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/prompt\?/);
  await tabTo(page, ".data summary");
  await page.keyboard.press("Enter");
  assert.ok(await page.locator("#steps-data").isVisible());
  await tabTo(page, ".csv");
  await tabTo(page, ".calls summary");
  assert.deepEqual(complaints, []);
  await context.close();
});

test("without JavaScript there are tables, forms and links", async () => {
  const { context, page } = await visit(browser, { javaScriptEnabled: false });
  await page.goto(demo.open + "/");
  assert.equal(await page.locator(".chart:visible").count(), 0);
  await page.locator("#h-trend ~ .data summary").click();
  assert.ok(await page.locator("#trend-data tbody tr").count() === 30 && await page.locator("#trend-data").isVisible());
  await page.locator(".more summary").click();
  await page.getByRole("checkbox", { name: "Gemini" }).check();
  await page.getByRole("button", { name: "Apply" }).click();
  await page.waitForURL(/platform=gemini/);
  await page.locator(".pages a", { hasText: "Traffic" }).click();
  assert.ok(await page.getByRole("row", { name: /gptbot/ }).isVisible());
  await context.close();
});

test("the password is asked for, and a session ends", async () => {
  const { context, page, complaints } = await visit(browser);
  await page.goto(demo.locked + "/prompts?last=7d");
  assert.deepEqual(await violations(page), []);
  await page.getByLabel("Password").fill("something else");
  await page.getByRole("button", { name: "Sign in" }).click();
  assert.ok(await page.getByRole("alert").isVisible());
  assert.deepEqual(await violations(page), []);
  await page.getByLabel("Password").fill(password);
  await page.keyboard.press("Enter");
  await page.waitForURL(demo.locked + "/prompts?last=7d");
  const [cookie] = await context.cookies();
  assert.deepEqual([cookie.httpOnly, cookie.sameSite], [true, "Strict"]);
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.goto(demo.locked + "/");
  assert.match(page.url(), /\/login/);
  assert.deepEqual(complaints.filter((c) => !c.includes("401")), []);
  await context.close();
});

test("a wrong key is explained", async () => {
  const { context, page } = await visit(browser);
  const response = await page.goto(demo.wrong + "/");
  assert.equal(response.status(), 502);
  assert.match(await page.getByRole("alert").textContent(), /does not accept the key.*SIGHTLINE_API_KEY/s);
  assert.deepEqual(await violations(page), []);
  await context.close();
});

test("pages are small; their times are for reading", async (t) => {
  for (const [name, path] of Object.entries(pages)) {
    const first = await wire(browser, demo.open + path), again = await wire(browser, demo.open + path);
    assert.ok(first.bytes > 5_000 && first.bytes < 100_000, `${name}: ${first.bytes} bytes`);
    t.diagnostic(`${name}: ${first.bytes} bytes over the wire, ${first.milliseconds} ms on the server, ${again.milliseconds} ms again`);
  }
});

// The README's pictures: 'make pictures'.
test("pictures", { skip: !process.env.SIGHTLINE_PICTURES }, async () => {
  const dir = process.env.SIGHTLINE_PICTURES;
  mkdirSync(dir, { recursive: true });
  for (const [name, path, options] of [
    ["dashboard-overview", "/", { viewport: { width: 1200, height: 960 } }],
    ["dashboard-prompts", "/prompts?sort=change&order=down", { viewport: { width: 1200, height: 800 } }],
    ["dashboard-traffic-dark", "/traffic", { viewport: { width: 1200, height: 800 }, colorScheme: "dark" }],
    ["dashboard-phone", "/", { ...screens.phone }],
  ]) {
    const { context, page } = await visit(browser, options);
    await page.goto(demo.open + path);
    await page.screenshot({ path: `${dir}/${name}.png` });
    await context.close();
  }
});
