// Sends what a curl command of our documents sends, without curl, which a fresh machine may lack. Knows only the options
// that the documents use; any other throws.

type CurlRequest = { url: string; method: string; headers: Record<string, string>; body?: string | Uint8Array }

/** The words of a command as a shell splits them, with variables replaced in double quotes. */
export function shellWords(command: string, variables: Readonly<Record<string, string>> = {}): string[] {
  const parts = command.replaceAll('\\\n', ' ').match(/(?:'[^']*'|"[^"]*"|\\.|[^\s'"\\])+/g) ?? []
  return parts.map((part) =>
    part.replace(/'([^']*)'|"([^"]*)"|\\(.)/g, (_, single, double, escaped) =>
      double === undefined
        ? (single ?? escaped)
        : double.replace(/\$(\w+)/g, (_: string, name: string) => variables[name]),
    ),
  )
}

/** `input`: what a pipe passes to `--data-binary @-`. */
export function curlRequest([program, ...words]: readonly string[], input?: Uint8Array): CurlRequest {
  if (program !== 'curl') throw new Error(`${program} is not curl`)
  const headers: Record<string, string> = {}
  const form: string[] = []
  let [method, url, isQuery] = ['', '', false]
  let binary: string | Uint8Array | undefined
  for (let index = 0; index < words.length; index++) {
    const word = `${words[index]}`
    const next = () => `${words[++index]}`
    if (word === '-X') method = next()
    else if (word === '--head') method = 'HEAD'
    else if (word === '-G') isQuery = true
    else if (word === '-d') form.push(next())
    else if (word === '--data-urlencode') form.push(urlEncoded(next()))
    else if (word === '--data-binary') {
      const data = next()
      binary = data === '@-' ? input : data
    } else if (word === '-H') {
      const [, name = '', value = ''] = /^([^:]+): ?(.*)$/.exec(next()) ?? []
      headers[name.toLowerCase()] = value
    } else if (/^https?:/.test(word)) url = word
    else if (word !== '-s') throw new Error(`curl's option ${word} is not known here`)
  }
  const data = form.join('&')
  if (isQuery) return { url: `${url}?${data}`, method: method || 'GET', headers }
  if (binary !== undefined) return { url, method: method || 'POST', headers, body: binary }
  if (data === '') return { url, method: method || 'GET', headers }
  const type = { 'content-type': 'application/x-www-form-urlencoded' }
  return { url, method: method || 'POST', headers: { ...type, ...headers }, body: data }
}

function urlEncoded(pair: string): string {
  return pair.replace(/=(.*)$/, (_, value) => `=${encodeURIComponent(value)}`)
}
