import { createRequire } from 'node:module';
import { join } from 'node:path';

export const EXAMPLE = join(__dirname, '../../../../examples/mcp');
export const SERVER = join(EXAMPLE, 'server.js');

/** The part of the SDK that is used here. Only the example depends on the SDK, not the workspace. */
interface SdkClient {
  connect(transport: unknown): Promise<void>;
  close(): Promise<void>;
  listTools(): Promise<{ readonly tools: readonly { readonly name: string }[] }>;
  callTool(call: object): Promise<ToolResult>;
}

interface ToolResult {
  readonly content: readonly { readonly text: string }[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
}

interface Sdk {
  readonly Client: new (info: object) => SdkClient;
  readonly StdioClientTransport: new (server: object) => unknown;
}

/** A tool's result, with the properties that later calls need. */
interface Answer extends Readonly<Record<string, unknown>> {
  readonly id: string;
  readonly after: unknown;
  readonly next_cursor: unknown;
}

/** The client of the SDK, connected with the server of the example. */
export class Agent {
  private constructor(
    private readonly client: SdkClient,
    private readonly key: string,
  ) {}

  /** @param env environment of the server. */
  static async connect(env: Readonly<Record<string, string>>): Promise<Agent> {
    const load = createRequire(SERVER);
    const { Client } = load('@modelcontextprotocol/sdk/client/index.js') as Sdk;
    const { StdioClientTransport } = load('@modelcontextprotocol/sdk/client/stdio.js') as Sdk;
    const client = new Client({ name: 'test', version: '1.0.0' });
    const server = { command: process.execPath, args: [SERVER], env: { ...process.env, ...env } };
    await client.connect(new StdioClientTransport(server));
    return new Agent(client, env['ITEMS_KEY'] ?? '');
  }

  close(): Promise<void> {
    return this.client.close();
  }

  async tools(): Promise<string[]> {
    return (await this.client.listTools()).tools.map(({ name }) => name).sort();
  }

  async answer(name: string, args: object): Promise<Answer> {
    const { text, isError } = await this.call(name, args);
    expect([name, isError, text]).toEqual([name, false, text]);
    return JSON.parse(text) as Answer;
  }

  async refusal(name: string, args: object): Promise<string> {
    const { text, isError } = await this.call(name, args);
    expect([name, isError, text]).toEqual([name, true, text]);
    return text;
  }

  private async call(name: string, args: object): Promise<{ text: string; isError: boolean }> {
    // The client of the SDK compares `structuredContent` with the output schema of a listed tool.
    const { content, structuredContent, isError = false } = await this.client.callTool({ name, arguments: args });
    const { text = '' } = content[0] ?? {};
    expect(text).not.toContain(this.key);
    if (!isError) expect(structuredContent).toEqual(JSON.parse(text));
    return { text, isError };
  }
}
