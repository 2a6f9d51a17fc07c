// Texts of the drawer: bodies for reading, requests for a shell.

import type { Exchange } from '../recorder.ts'

export function prettyBody(body: string | undefined): string | undefined {
  if (body === undefined || !/^\s*[[{]/.test(body)) return body
  try {
    return JSON.stringify(JSON.parse(body), undefined, 2)
  } catch {
    return body
  }
}

/** One element per line. Elements that have only text stay on one line. */
export function indentXml(xml: string): string {
  let depth = 0
  const lines: string[] = []
  for (const [part] of xml.matchAll(/<[^>]*>?[^<]*(?:<\/[^>]*>?)?/g)) {
    const isEnd = part.startsWith('</')
    if (isEnd) depth--
    lines.push('  '.repeat(Math.max(0, depth)) + part.trim())
    const staysOpen = !isEnd && !part.startsWith('<?') && !part.includes('</') && !/\/>\s*$/.test(part)
    if (staysOpen) depth++
  }
  return lines.length === 0 ? xml : lines.join('\n')
}

/** With the sandbox's secret, which is public. */
export function curlOf({ method, address, requestHeaders, requestBody }: Exchange, isXml: boolean): string {
  const headers = requestHeaders.map(([name, value]) => [name, name === 'accept' && isXml ? 'application/xml' : value])
  return [
    `curl -X ${method} ${quoted(new URL(address, location.origin).href)}`,
    ...headers.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(requestBody === undefined ? [] : [`--data ${quoted(requestBody)}`]),
  ].join(' \\\n  ')
}

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
