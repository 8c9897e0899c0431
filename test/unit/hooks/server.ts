import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface PolicyServer {
  readonly url: string;
  /** Bodies received, parsed, in order. */
  readonly received: readonly {
    readonly headers: IncomingMessage["headers"];
    readonly body: unknown;
  }[];
  close(): Promise<void>;
}

/** A real HTTP server on a free port; `answer` gets each request after its body was read. */
export async function policyServer(
  answer: (response: ServerResponse, request: IncomingMessage, count: number) => void,
): Promise<PolicyServer> {
  const received: { headers: IncomingMessage["headers"]; body: unknown }[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const text = Buffer.concat(parts).toString("utf8");
      received.push({ headers: request.headers, body: text === "" ? null : JSON.parse(text) });
      answer(response, request, received.length);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/policy`,
    received,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
