import type { PlainAnswer, ReceivedRequest } from './fault.js';

/** Sessions whose refresh token works once; its second use ends all sessions. */
export class ModelTokens {
  static readonly username = 'ada';
  static readonly password = 'pass phrase of the fault server';
  /** Numbers of successful logins and refreshes. */
  logins = 0;
  refreshes = 0;
  /** True if a refresh token was used twice, which ended all sessions. */
  wasReused = false;
  private count = 0;
  private readonly good = new Set<string>();
  private readonly used = new Set<string>();
  private readonly refreshable = new Set<string>();

  /** @returns undefined unless this is a login or token request. */
  handle(request: ReceivedRequest, path: string): PlainAnswer | undefined {
    if (path === '/sessions' && request.method === 'POST') return this.login(request);
    if (path === '/oauth/token') return this.token(new URLSearchParams(request.body));
    return undefined;
  }

  isGood(authorization: string | undefined): boolean {
    return authorization !== undefined && this.good.has(authorization.replace('Bearer ', ''));
  }

  /** Ends all access tokens. */
  expire(): void {
    this.good.clear();
  }

  private login({ body }: ReceivedRequest): PlainAnswer {
    const { username, password } = JSON.parse(body) as Record<string, unknown>;
    if (username !== ModelTokens.username || password !== ModelTokens.password) {
      return { status: 401, body: { error: 'Wrong username or password.', code: 'unauthorized' } };
    }
    this.logins += 1;
    return { status: 201, body: this.issue() };
  }

  private token(fields: URLSearchParams): PlainAnswer {
    if (fields.get('grant_type') === 'client_credentials') return { status: 200, body: this.issue() };
    const token = fields.get('refresh_token') ?? '';
    if (this.used.has(token)) {
      this.wasReused = true;
      this.good.clear();
      this.refreshable.clear();
    }
    if (!this.refreshable.delete(token)) {
      return { status: 400, body: { error: 'invalid_grant', error_description: 'The grant is not valid.' } };
    }
    this.used.add(token);
    this.refreshes += 1;
    return { status: 200, body: this.issue() };
  }

  private issue(): Readonly<Record<string, unknown>> {
    this.count += 1;
    const access = `access-secret-${String(this.count)}`;
    const refresh = `refresh-secret-${String(this.count)}`;
    this.good.add(access);
    this.refreshable.add(refresh);
    return { token_type: 'Bearer', access_token: access, expires_in: 900, refresh_token: refresh, id: 's' };
  }
}
