/** For an OAuth client. RFC 6749, 2.3.1: both parts are form-encoded before they are joined. */
export function basicAuthorization(clientId: string, clientSecret: string): string {
  const encoded = [clientId, clientSecret].map((part) => new URLSearchParams([['', part]]).toString().slice(1))
  return `Basic ${Buffer.from(encoded.join(':')).toString('base64')}`
}
