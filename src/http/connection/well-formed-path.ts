/**
 * Replaces what is not valid percent-encoded UTF-8 in a path with U+FFFD. The request is then routed as any other and refused
 * for its id, in the order of checks.
 */
export function wellFormedPath(url: string): string {
  const end = url.indexOf('?')
  const path = end === -1 ? url : url.slice(0, end)
  if (!path.includes('%')) return url
  try {
    decodeURIComponent(path)
    return url
  } catch {
    const fixed = path.replace(/(%[0-9a-f]{2})+|%/gi, (bytes) => {
      try {
        decodeURIComponent(bytes)
        return bytes
      } catch {
        return '%EF%BF%BD'
      }
    })
    return end === -1 ? fixed : fixed + url.slice(end)
  }
}
