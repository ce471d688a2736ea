import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

import { bytesOf, type Fault, type PlainAnswer, type ReceivedRequest } from './fault.js';
import { ModelService } from './model-service.js';

/** Returns the fault of a request; undefined: none. @param index number of earlier requests. */
export type FaultPlan = (request: ReceivedRequest, index: number) => Fault | undefined;

/** Computes the correct responses, without faults. */
export interface CorrectService {
  handle(request: ReceivedRequest): PlainAnswer;
}

/** A small service in memory on a free port of 127.0.0.1, with the faults of a plan. Default: the items service. */
export class FaultServer<Service extends CorrectService = ModelService> {
  /** All received requests, in order. */
  readonly requests: ReceivedRequest[] = [];
  private plan: FaultPlan = () => undefined;
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    readonly service: Service,
  ) {
    server.on('request', (message, response) => void this.answer(message, response.socket));
    server.on('connection', (socket) => {
      this.sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => this.sockets.delete(socket));
    });
  }

  static start(): Promise<FaultServer> {
    return FaultServer.startInFrontOf(new ModelService());
  }

  /** Adds faults to another service. */
  static startInFrontOf<Service extends CorrectService>(service: Service): Promise<FaultServer<Service>> {
    const server = createServer();
    const faulty = new FaultServer(server, service);
    return new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen(0, '127.0.0.1', () => resolve(faulty));
    });
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${String((this.server.address() as AddressInfo).port)}`;
  }

  /** Uses this plan from now on, and clears `requests`. */
  setPlan(plan: FaultPlan): void {
    this.plan = plan;
    this.requests.length = 0;
  }

  /** The next requests fail in this order; all later ones succeed. */
  fail(...faults: readonly (Fault | undefined)[]): void {
    this.setPlan((_, index) => faults[index]);
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise<void>((resolve) => {
      this.server.close(() => resolve());
    });
  }

  private async answer(message: IncomingMessage, socket: Socket | null): Promise<void> {
    const request = await received(message);
    const fault = this.plan(request, this.requests.push(request) - 1);
    if (socket === null) return;
    const isDone = fault === undefined || fault.done === true;
    const answer = isDone ? this.service.handle(request) : { status: 200, body: { pending: 'nothing was done' } };
    write(socket, answer, fault);
  }
}

function write(socket: Socket, answer: PlainAnswer, fault: Fault | undefined): void {
  if (fault === undefined) return void socket.end(bytesOf(answer));
  // If the service did nothing, the response must not have a status of success.
  if (fault.kind === 'short' && !fault.done) return void socket.resetAndDestroy();
  switch (fault.kind) {
    case 'answer':
      return void socket.end(bytesOf(fault.answer));
    case 'short':
      return void socket.end(cutTo(answer, fault.bytes));
    case 'stall':
      return void socket.write(partOf(answer, fault.afterBytes));
    case 'reset':
      return void socket.write(partOf(answer, fault.afterBytes), () => socket.resetAndDestroy());
  }
}

/** Returns the first bytes of the response, never all. */
function partOf(answer: PlainAnswer, bytes: number): Buffer {
  const all = bytesOf(answer);
  return all.subarray(0, Math.min(bytes, all.length - 1));
}

/** Declares this number of bytes in `Content-Length`. */
function cutTo(answer: PlainAnswer, bytes: number): Buffer {
  const whole = bytesOf(answer);
  const bodyBytes = whole.length - whole.indexOf('\r\n\r\n') - 4;
  // A response without a body has none to cut. Cuts the status line, so that the response does not pass as correct.
  if (bodyBytes === 0) return whole.subarray(0, 9);
  const short = Math.min(bytes, bodyBytes - 1);
  const all = bytesOf(answer, short);
  return all.subarray(0, all.length - bodyBytes + short);
}

async function received(message: IncomingMessage): Promise<ReceivedRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  const headers = Object.fromEntries(Object.entries(message.headers).map(([name, value]) => [name, String(value)]));
  return { method: message.method ?? '', path: message.url ?? '', headers, body: Buffer.concat(chunks).toString() };
}
