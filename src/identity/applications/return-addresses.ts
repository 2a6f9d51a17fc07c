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
