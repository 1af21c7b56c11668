/**
 * MCP's Streamable HTTP without sessions: each request is whole in itself and answered by JSON, so nothing has to be
 * kept between two requests and nothing is lost when the server starts again.
 */
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import { createMcpServer, type McpServerOptions } from "./mcp-server.ts";

export interface McpHttpRequest {
  /** One JSON-RPC message; who may send it was settled before. */
  message: unknown;
  accept: string | undefined;
  protocolVersion: string | undefined;
}

export async function answerMcp(options: McpServerOptions, request: McpHttpRequest): Promise<Response> {
  const server = createMcpServer(options);
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    const headers = new Headers({ "content-type": "application/json" });
    if (request.accept !== undefined) headers.set("accept", request.accept);
    if (request.protocolVersion !== undefined) headers.set("mcp-protocol-version", request.protocolVersion);
    // The address is never looked at.
    const carrier = new Request("http://mcp.invalid/mcp", { method: "POST", headers });
    return await transport.handleRequest(carrier, { parsedBody: request.message });
  } finally {
    await server.close();
  }
}
