// A host of plain files, as any web space is: with parts of files, unless it is told otherwise.
//
//   node web/tests/host.mjs DIR        prints the address, and serves until it is ended

import { createReadStream, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";

const KINDS = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".jpg": "image/jpeg",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
  ".webmanifest": "application/manifest+json",
};

function found(dir, path) {
  const file = join(dir, normalize(path.endsWith("/") ? `${path}index.html` : path));
  try {
    return statSync(file).isFile() ? [file, statSync(file).size] : null;
  } catch {
    return null;
  }
}

/** Starts a host; `seen` is called with each request and may answer it by itself. */
export async function host(dir, { ranges = true, seen = () => false, headers = {} } = {}) {
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url, "http://host").pathname);
    if (seen(path, request, response)) return;
    const at = found(dir, path);
    if (!at) return response.writeHead(404, headers).end("nothing is here");
    const [file, size] = at;
    const kind = { "content-type": KINDS[extname(file)] ?? "application/octet-stream", ...headers };
    const range = ranges && /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "");
    if (!range) {
      response.writeHead(200, { ...kind, "content-length": size });
      return createReadStream(file).pipe(response);
    }
    const [start, end] = [Number(range[1]), Math.min(Number(range[2]), size - 1)];
    response.writeHead(206, {
      ...kind,
      "content-length": end - start + 1,
      "content-range": `bytes ${start}-${end}/${size}`,
    });
    createReadStream(file, { start, end }).pipe(response);
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  const address = `http://127.0.0.1:${server.address().port}/`;
  const close = () => (server.closeAllConnections(), server.close());
  return { address, close };
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  const headers = { "access-control-allow-origin": "*" };
  console.log((await host(process.argv[2], { headers })).address);
}
