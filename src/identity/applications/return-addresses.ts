/** Only this machine can serve such an address, so that plain HTTP is safe. */
export function isLoopback({ protocol, hostname }: URL): boolean {
  return protocol === 'http:' && ['127.0.0.1', 'localhost', '[::1]'].includes(hostname)
}

/** Why customers may not be sent to this address; null: they may. */
export function returnAddressProblem(url: URL): string | null {
  if (url.protocol !== 'https:' && !isLoopback(url)) return 'must be HTTPS, or HTTP on localhost'
  if (url.username !== '' || url.password !== '') return 'must have no user name and password'
  return url.hash === '' ? null : 'must have no fragment'
}

/**
 * An address that others may read as another one: proxies and frameworks resolve dots and decode slashes at different moments, so
 * that /cashier/..%2fadmin may arrive at /admin.
 */
export function isAmbiguous(raw: string, url: URL): boolean {
  if (/%2f|%5c/i.test(url.pathname)) return true
  const [, path = ''] = /^[a-z]+:\/\/[^/?#\\]*([^?#]*)/i.exec(raw) ?? []
  return (path === '' ? '/' : path) !== url.pathname || decodesToLetters(url.pathname)
}

/** Unreserved characters need no encoding: encoded ones are the same path under another name. */
function decodesToLetters(path: string): boolean {
  return /%(2[de]|3\d|4[1-9a-f]|5[\daf]|6[1-9a-f]|7[\dae])/i.test(path)
}
