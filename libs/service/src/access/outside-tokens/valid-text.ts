const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** Libraries replace invalid bytes, so that different subjects would become equal. */
export function hasValidText(jwt: string): boolean {
  try {
    UTF8.decode(Buffer.from(jwt.split('.')[1] ?? '', 'base64url'));
    return true;
  } catch {
    return false;
  }
}
