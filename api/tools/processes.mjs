// Starts what a session needs: our server on the demo's data, and Prism, which
// holds everything that passes through it to the document.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { resolve } from "node:path";

export const program = resolve(process.env.SIGHTLINE_BIN || "../../bin/sightline");
export const openapi = resolve("../openapi.yaml");

const running = [];

// started runs a program until it prints what matches.
export function started(command, args, pattern) {
  return new Promise((done, failed) => {
    const child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"], env: { ...process.env, NO_COLOR: "1" } });
    running.push(child);
    let text = "";
    const look = (chunk) => {
      text += chunk;
      const found = pattern.exec(text);
      if (found) done({ child, found });
    };
    child.stdout.on("data", look);
    child.stderr.on("data", look);
    child.on("error", failed);
    child.on("exit", (code) => failed(new Error(`${command} ${args[0]} ended with ${code}:\n${text}`)));
  });
}

// stop ends a program that was started here, and waits for it.
export async function stop(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, "exit");
  child.kill("SIGINT");
  await gone;
}

export const stopAll = () => Promise.all(running.map(stop));

async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  await once(server, "close");
  return port;
}

// prism puts the validating proxy in front of a server. Whoever sends wrong
// requests on purpose has them passed on.
export async function prism(upstream, { wrongRequests = false } = {}) {
  const port = await freePort();
  const args = [resolve("node_modules/@stoplight/prism-cli/dist/index.js"), "proxy", openapi, upstream, "--errors", "--host", "127.0.0.1", "--port", String(port)];
  if (wrongRequests) args.push("--validate-request", "false");
  await started(process.execPath, args, /Prism is listening/);
  return `http://127.0.0.1:${port}`;
}

export async function serve(data, ...flags) {
  const { child, found } = await started(program, ["serve", "--data", data, "--listen", "127.0.0.1:0", ...flags], /(http:\/\/127\.0\.0\.1:\d+)/);
  return { child, url: found[1] };
}
