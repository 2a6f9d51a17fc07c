/**
 * A path that is not valid percent-encoded UTF-8 has no meaning. With its bad parts replaced by U+FFFD it goes the
 * ordinary way and is refused for its id, in the order of checks.
 */
export function mendedPath(url: string): string {
  const end = url.indexOf('?')
  const path = end === -1 ? url : url.slice(0, end)
  if (!path.includes('%')) return url
  try {
    decodeURIComponent(path)
    return url
  } catch {
    const mended = path.replace(/(%[0-9a-f]{2})+|%/gi, (bytes) => {
      try {
        decodeURIComponent(bytes)
        return bytes
      } catch {
        return '%EF%BF%BD'
      }
    })
    return end === -1 ? mended : mended + url.slice(end)
  }
}
