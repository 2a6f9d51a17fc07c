import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { AwsV4Signer } from 'aws4fetch'
import { AnswerTooLong, boundedBytes } from '../../platform/runtime/bounded-answer.ts'
import { turnTime } from '../../platform/runtime/clock.ts'
import { withoutTrailingSlashes } from '../../platform/runtime/trailing-slashes.ts'
import { tracedFetch } from '../../platform/tracing/calls.ts'
import { isOfFormat } from './header.ts'
import { isPictureKey, newPictureKey, type PictureStore, PicturesUnavailable, storedPicture } from './store.ts'

export type S3Settings = {
  /** The address of the service, such as https://s3.eu-west-1.amazonaws.com; the bucket is added to its path. */
  endpoint: string
  bucket: string
  region: string
  accessKeyId: string
  secretAccessKey: string
  /** For each try, and there are at most two. */
  timeoutMs?: number
}

type SigningKey = Pick<S3Settings, 'region' | 'accessKeyId' | 'secretAccessKey'>
type UnsignedRequest = { method: string; url: URL; headers: Record<string, string>; body: Buffer }

type Reply = { status: number; body: Buffer }
type Send = (method: string, key: string, content?: { bytes: Buffer; mediaType: string }) => Promise<Reply>

const callBucket = tracedFetch('bucket')

const MAX_TRIES = 2
const RETRY_AFTER_MS = 150
const DEFAULT_TIMEOUT_MS = 5_000
/** Twice the largest that is stored: 512 × 512 pixels of 4 bytes that cannot be compressed. */
const MAX_ANSWER = 2_097_152

/** Pictures as objects of a bucket of any S3-compatible store, addressed by path. */
export function s3Pictures(settings: S3Settings): PictureStore {
  const send = sender(settings, bucketAddress(settings))
  return {
    async put(picture) {
      const key = newPictureKey(picture)
      const reply = await send('PUT', key, picture)
      if (reply.status !== 200) throw refused('PUT', reply)
      return key
    },
    async get(key) {
      if (!isPictureKey(key)) return null
      const reply = await send('GET', key)
      if (reply.status === 404) return null
      if (reply.status !== 200) throw refused('GET', reply)
      // Whoever can write to the bucket must not be able to send a page in our name.
      if (!isOfFormat(reply.body, key.endsWith('.png') ? 'png' : 'jpeg')) {
        throw new PicturesUnavailable('pictures: GET in the bucket answered with something else than the picture')
      }
      return storedPicture(key, reply.body)
    },
    async remove(key) {
      if (!isPictureKey(key)) return
      const reply = await send('DELETE', key)
      if (![200, 204, 404].includes(reply.status)) throw refused('DELETE', reply)
    },
    // The connections belong to Node's fetch, which closes them when idle and does not keep the process alive.
    close: async () => {},
  }
}

/** Asks for a picture that nobody has. Throws unless the store knows the bucket and answers that this picture is not in it. */
export async function tryBucket(settings: S3Settings): Promise<void> {
  const nobodys = newPictureKey({ bytes: Buffer.alloc(0), mediaType: 'image/png', extension: 'png' })
  const reply = await sender(settings, bucketAddress(settings))('GET', nobodys)
  if (reply.status !== 404 || codeOf(reply) !== 'NoSuchKey') throw refused('GET', reply)
}

// The messages leave the endpoint out, as it could contain a password.
function bucketAddress({ endpoint, bucket }: S3Settings): string {
  const url = URL.parse(endpoint)
  if (url === null || !['http:', 'https:'].includes(url.protocol))
    throw new Error('S3_ENDPOINT: write an address that begins with https:// or http://')
  if (url.username || url.password || url.search || url.hash) {
    throw new Error('S3_ENDPOINT: write the address without user, password, query and fragment')
  }
  return `${url.origin}${withoutTrailingSlashes(canonicalPath(url))}/${strictlyEncoded(bucket)}`
}

// Every operation is safe to retry: a key is written only once, always with the same bytes.
function sender(settings: S3Settings, address: string): Send {
  return async (method, key, content) => {
    const body = content?.bytes ?? Buffer.alloc(0)
    const headers: Record<string, string> = content ? { 'content-type': content.mediaType } : {}
    const request: UnsignedRequest = { method, url: new URL(`${address}/${key}`), headers, body }
    let failure = ''
    for (let tried = 0; tried < MAX_TRIES; tried += 1) {
      if (tried > 0) await pause(RETRY_AFTER_MS)
      const reply = await attempt(settings, request)
      if (typeof reply === 'string') failure = reply
      else if (reply.status >= 500 || reply.status === 429) failure = `status ${reply.status}`
      else return reply
    }
    throw new PicturesUnavailable(`pictures: ${method} in the bucket failed: ${failure}`)
  }
}

// A string is the reason why there was no reply. The error of fetch is dropped: its message repeats parts of the request.
async function attempt(settings: S3Settings, request: UnsignedRequest): Promise<Reply | string> {
  const { method, url, body } = request
  try {
    const response = await callBucket(url, {
      method,
      headers: await signedHeaders(request, settings, new Date(turnTime())),
      body: method === 'PUT' ? new Uint8Array(body) : null,
      // A signature must not be carried to another host.
      redirect: 'manual',
      signal: AbortSignal.timeout(settings.timeoutMs ?? DEFAULT_TIMEOUT_MS),
    })
    return { status: response.status, body: await boundedBytes(response, MAX_ANSWER) }
  } catch (error) {
    return whyNoReply(error)
  }
}

function whyNoReply(error: unknown): string {
  if (!(error instanceof Error)) return 'network error'
  if (error.name === 'TimeoutError') return 'timed out'
  if (error instanceof AnswerTooLong) return error.message
  const { cause } = error
  return cause instanceof Error && 'code' in cause ? String(cause.code) : 'network error'
}

// Only the code of the body is repeated: the rest may contain the access key and the signed text.
function refused(method: string, reply: Reply): Error {
  const code = codeOf(reply)
  return new Error(`pictures: ${method} in the bucket failed: status ${reply.status}${code ? ` (${code})` : ''}`)
}

function codeOf({ body }: Reply): string | undefined {
  return /<Code>(\w{1,64})<\/Code>/.exec(body.toString('utf8', 0, 4_096))?.[1]
}

/** The headers to send: those given and those of AWS Signature Version 4. All of them and the body are signed. */
export async function signedHeaders(request: UnsignedRequest, key: SigningKey, at: Date): Promise<Headers> {
  const { method, url, headers, body } = request
  const signer = new AwsV4Signer({
    ...key,
    service: 's3',
    method,
    url: url.href,
    // By itself aws4fetch leaves the body and the content type out of the signature.
    headers: { ...headers, 'x-amz-content-sha256': createHash('sha256').update(body).digest('hex') },
    allHeaders: true,
    datetime: at.toISOString().replace(/[-:]|\.\d+/g, ''),
  })
  return (await signer.sign()).headers
}

// URLs leave some characters unencoded that the signature needs encoded. The address is built with this too, so that what is sent
// is what was signed.
function canonicalPath(url: URL): string {
  return url.pathname
    .split('/')
    .map((part) => strictlyEncoded(decodeURIComponent(part)))
    .join('/')
}

function strictlyEncoded(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
}
