// Starts what the tests look at: the demo with its dashboard, and a second
// dashboard with a password.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

export const password = "correct horse battery";

// started runs the program until it prints a line that matches.
function started(program, args, env, pattern) {
  return new Promise((done, failed) => {
    const child = spawn(program, args, { env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "pipe"] });
    let text = "";
    const look = (chunk) => {
      text += chunk;
      const found = pattern.exec(text);
      if (found) done({ child, found, text: () => text });
    };
    child.stdout.on("data", look);
    child.stderr.on("data", look);
    child.on("error", failed);
    child.on("exit", (code) => failed(new Error(`${args[0]} ended with ${code}:\n${text}`)));
  });
}

export async function start() {
  const program = resolve(process.env.SIGHTLINE_BIN || "../../bin/sightline");
  const dir = mkdtempSync(join(tmpdir(), "sightline-browser-"));
  const demo = await started(program, ["demo", "--data", join(dir, "data"), "--listen", "127.0.0.1:0", "--dashboard", "127.0.0.1:0"], {},
    /explained: (http:\S+)\/docs[^]*The dashboard:\s+(http:\S+)/);
  const [, api, open] = demo.found;
  const key = readFileSync(join(dir, "data", "demo-key"), "utf8").trim();
  writeFileSync(join(dir, "password"), password);
  const locked = await started(program, ["dashboard", "--listen", "127.0.0.1:0", "--base-url", api, "--password-file", join(dir, "password")],
    { SIGHTLINE_API_KEY: key }, /is on (http:\S+)\. /);
  const wrong = await started(program, ["dashboard", "--listen", "127.0.0.1:0", "--base-url", api], { SIGHTLINE_API_KEY: "sl_wrong" }, /is on (http:\S+)\. /);
  const all = [demo, locked, wrong];
  const stop = async () => {
    await Promise.all(all.map(({ child }) => new Promise((gone) => {
      child.removeAllListeners("exit");
      child.once("exit", gone);
      child.kill("SIGINT");
    })));
    rmSync(dir, { recursive: true, force: true });
  };
  return { api, key, open, locked: locked.found[1], wrong: wrong.found[1], stop };
}
