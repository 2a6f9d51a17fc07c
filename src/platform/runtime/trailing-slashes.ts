/** Not `/\/+$/`, which scans a run of slashes again from each of them where the text does not end with it. */
export function withoutTrailingSlashes(text: string): string {
  let end = text.length
  while (text.charAt(end - 1) === '/') end--
  return text.slice(0, end)
}
