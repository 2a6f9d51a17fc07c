/** Whether If-None-Match names this tag: one, a list, weak ones (W/…), or `*` for any. Then the answer is 304. */
export function hasCurrentCopy(ifNoneMatch: string | undefined, etag: string): boolean {
  return (ifNoneMatch ?? '').split(',').some((one) => {
    const tag = one.trim()
    return tag === '*' || (tag.startsWith('W/') ? tag.slice(2) : tag) === etag
  })
}
