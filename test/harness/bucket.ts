// A bucket of an S3-compatible store, called "faces", that checks every signature.

import { createHash, createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export const accessKeyId = 'AKIAIOSFODNN7EXAMPLE'
export const secretAccessKey = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY'
export const region = 'us-east-1'

type Received = { method: string; path: string; headers: Record<string, string>; body: Buffer }

const hex = (content: string | Buffer) => createHash('sha256').update(content).digest('hex')
const mac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()

/** Checks a request as S3 does, after "Signature Calculations for the Authorization Header" of its reference. */
export function whyRefused({ method, path, headers, body }: Received, now: Date): string | null {
  const form =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([a-z0-9;-]+), ?Signature=([0-9a-f]{64})$/
  const [, id, day = '', scopeRegion = '', signedNames = '', signature] = form.exec(headers.authorization ?? '') ?? []
  const stamp = headers['x-amz-date'] ?? ''
  const time = Date.parse(stamp.replace(/^(....)(..)(..)T(..)(..)(..)Z$/, '$1-$2-$3T$4:$5:$6Z'))
  if (id !== accessKeyId || scopeRegion !== region || !stamp.startsWith(day)) return 'InvalidAccessKeyId'
  if (!(Math.abs(now.getTime() - time) < 900_000)) return 'RequestTimeTooSkewed'
  if (headers['x-amz-content-sha256'] !== hex(body)) return 'XAmzContentSHA256Mismatch'
  const names = signedNames.split(';')
  const required = Object.keys(headers).filter((name) => /^(host|content-type|x-amz-.*)$/.test(name))
  if (!required.every((name) => names.includes(name)) || names.join() !== [...names].sort().join())
    return 'AccessDenied'
  const canonicalHeaders = names.map((name) => `${name}:${headers[name]}\n`).join('')
  const canonical = `${method}\n${path}\n\n${canonicalHeaders}\n${signedNames}\n${hex(body)}`
  const toSign = `AWS4-HMAC-SHA256\n${stamp}\n${day}/${region}/s3/aws4_request\n${hex(canonical)}`
  const key = mac(mac(mac(mac(`AWS4${secretAccessKey}`, day), region), 's3'), 'aws4_request')
  return mac(key, toSign).toString('hex') === signature ? null : 'SignatureDoesNotMatch'
}

/** Each of its `troubles` fails one request first. */
export async function startBucket() {
  const objects = new Map<string, { bytes: Buffer; type: string }>()
  const received: Received[] = []
  const troubles: (number | 'silent' | 'cut' | 'half' | null)[] = []

  function answer(request: Received, response: ServerResponse): void {
    const refusal = whyRefused(request, new Date())
    if (refusal !== null) response.writeHead(403).end(`<Error><Code>${refusal}</Code><Key>${accessKeyId}</Key></Error>`)
    else if (request.method === 'PUT') {
      objects.set(request.path, { bytes: request.body, type: request.headers['content-type'] ?? '' })
      response.writeHead(200).end()
    } else if (request.method === 'DELETE') {
      objects.delete(request.path)
      response.writeHead(204).end()
    } else {
      const found = objects.get(request.path)
      const code = request.path.includes('/faces/') ? 'NoSuchKey' : 'NoSuchBucket'
      if (found) response.writeHead(200, { 'content-type': found.type }).end(found.bytes)
      else response.writeHead(404).end(`<Error><Code>${code}</Code></Error>`)
    }
  }

  async function receive(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = Buffer.concat(await incoming.toArray())
    const headers = Object.fromEntries(Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]))
    const request = { method: incoming.method ?? '', path: incoming.url ?? '', headers, body }
    received.push(request)
    const trouble = troubles.shift() ?? null
    if (trouble === 'cut') incoming.socket.destroy()
    else if (trouble === 'half') response.writeHead(200, { 'content-length': 100 }).write('half')
    else if (typeof trouble === 'number') {
      response.writeHead(trouble, { location: '/elsewhere' }).end(`<Error><AWSAccessKeyId>${accessKeyId}</Error>`)
    } else if (trouble === null) answer(request, response)
  }

  const server = createServer((incoming, response) => void receive(incoming, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const stop = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return { objects, received, troubles, endpoint, stop }
}
