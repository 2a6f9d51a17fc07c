import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type S3Settings, s3Pictures, signedHeaders } from '../../src/profiles/pictures/s3.ts'
import { type EncodedPicture, PicturesUnavailable } from '../../src/profiles/pictures/store.ts'
import { accessKeyId, region, secretAccessKey, startBucket, whyRefused } from '../harness/bucket.ts'

const jpeg: EncodedPicture = {
  bytes: Buffer.from([0xff, 0xd8, 0xff, 1, 2, 0xfe]),
  mediaType: 'image/jpeg',
  extension: 'jpg',
}
const png: EncodedPicture = {
  bytes: Buffer.from('\x89PNG\r\n\x1a\nbytes of a png', 'latin1'),
  mediaType: 'image/png',
  extension: 'png',
}
const unknownKey = `${'0'.repeat(32)}.jpg`

let bucket: Awaited<ReturnType<typeof startBucket>>

beforeEach(async () => {
  bucket = await startBucket()
})

afterEach(async () => {
  await bucket.stop()
})

function store(changes: Partial<S3Settings> = {}) {
  return s3Pictures({ endpoint: bucket.endpoint, bucket: 'faces', region, accessKeyId, secretAccessKey, ...changes })
}

async function failureOf(work: Promise<unknown>): Promise<Error> {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  )
  if (!(error instanceof Error)) throw new Error('it did not fail')
  const shown = `${error.stack}${JSON.stringify(error)}${String(error.cause)}`
  expect(shown).not.toContain(accessKeyId)
  expect(shown).not.toContain(secretAccessKey)
  return error
}

describe('a signature', () => {
  const at = new Date('2013-05-24T00:00:00Z')
  const host = 'examplebucket.s3.amazonaws.com'
  const examples = [
    {
      method: 'GET',
      path: '/test.txt',
      headers: { range: 'bytes=0-9' },
      body: '',
      names: 'host;range;x-amz-content-sha256;x-amz-date',
      signature: 'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
    },
    {
      method: 'PUT',
      path: '/test%24file.text',
      headers: { date: 'Fri, 24 May 2013 00:00:00 GMT', 'x-amz-storage-class': 'REDUCED_REDUNDANCY' },
      body: 'Welcome to Amazon S3.',
      names: 'date;host;x-amz-content-sha256;x-amz-date;x-amz-storage-class',
      signature: '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
    },
  ]

  test.each(examples)(
    'equals that of the $method example that AWS publishes',
    async ({ method, path, headers, body, names, signature }) => {
      const url = new URL(`https://${host}${decodeURIComponent(path)}`)
      const request = { method, url, headers: { ...headers }, body: Buffer.from(body) }
      const sent = Object.fromEntries(await signedHeaders(request, { region, accessKeyId, secretAccessKey }, at))
      expect(sent.authorization).toBe(
        `AWS4-HMAC-SHA256 Credential=${accessKeyId}/20130524/us-east-1/s3/aws4_request, SignedHeaders=${names}, Signature=${signature}`,
      )
      // The bucket of these tests passes the same examples.
      const received = { method, path, headers: { ...sent, host }, body: request.body }
      expect(whyRefused(received, at)).toBeNull()
      expect(whyRefused({ ...received, path: '/other' }, at)).toBe('SignatureDoesNotMatch')
      expect(whyRefused({ ...received, body: Buffer.from('other') }, at)).toBe('XAmzContentSHA256Mismatch')
      expect(whyRefused(received, new Date())).toBe('RequestTimeTooSkewed')
    },
  )
})

describe('pictures in a bucket', () => {
  test('a stored picture is read back, with the type of its key', async () => {
    const pictures = store()
    const first = await pictures.put(jpeg)
    const second = await pictures.put(png)
    expect(first).toMatch(/^[0-9a-f]{32}\.jpg$/)
    expect(second).toMatch(/^[0-9a-f]{32}\.png$/)
    expect(bucket.objects.get(`/faces/${first}`)).toEqual({ bytes: jpeg.bytes, type: 'image/jpeg' })
    bucket.objects.set(`/faces/${first}`, { bytes: jpeg.bytes, type: 'text/html' })
    const etag = `"${first.slice(0, 32)}"`
    expect(await pictures.get(first)).toEqual({ bytes: jpeg.bytes, mediaType: 'image/jpeg', etag })
    expect(await pictures.get(second)).toMatchObject({ bytes: png.bytes, mediaType: 'image/png' })
    await pictures.close()
  })

  test('the same picture stored twice has two keys, and removing one keeps the other', async () => {
    const pictures = store()
    const [one, other] = [await pictures.put(jpeg), await pictures.put(jpeg)]
    await pictures.remove(one)
    await pictures.remove(one)
    expect([...bucket.objects.keys()]).toEqual([`/faces/${other}`])
    expect(await pictures.get(one)).toBeNull()
  })

  test('an unknown key has no picture, and its removal may also be answered with 404', async () => {
    expect(await store().get(unknownKey)).toBeNull()
    bucket.troubles.push(404)
    await store().remove(unknownKey)
  })

  test.each(['', '..', '../faces2/x', `${'0'.repeat(32)}.jpg?acl`, `${'0'.repeat(32)}.gif`, `../${unknownKey}`])(
    'the malformed key %j causes no request',
    async (key) => {
      expect(await store().get(key)).toBeNull()
      await store().remove(key)
      expect(bucket.received).toEqual([])
    },
  )

  test.each(['/', '/storage/', "/storage/s3 (eu)!*'/$1/"])('an endpoint may have the path %s', async (path) => {
    const pictures = store({ endpoint: bucket.endpoint + path })
    const key = await pictures.put(png)
    expect([...bucket.objects.keys()].map(decodeURIComponent)).toEqual([`${path}faces/${key}`])
    expect(await pictures.get(key)).toMatchObject({ bytes: png.bytes })
  })

  test.each(['nonsense', 'ftp://host', 'http://user:hidden@host', 'http://host/?hidden', 'http://host/#hidden'])(
    'the endpoint %s is refused',
    (endpoint) => {
      expect(() => store({ endpoint })).toThrow(/^S3_ENDPOINT: (?!.*hidden)/)
    },
  )
})

describe('a failing bucket', () => {
  test.each([500, 503, 429, 'cut'] as const)('that fails once with %s is retried with success', async (trouble) => {
    const pictures = store()
    bucket.troubles.push(trouble)
    const key = await pictures.put(jpeg)
    bucket.troubles.push(trouble)
    expect(await pictures.get(key)).toMatchObject({ bytes: jpeg.bytes })
    bucket.troubles.push(trouble)
    await pictures.remove(key)
    expect(bucket.objects.size).toBe(0)
    expect(bucket.received.map(({ method }) => method)).toEqual(['PUT', 'PUT', 'GET', 'GET', 'DELETE', 'DELETE'])
  })

  test('that answers 500 twice throws PicturesUnavailable', async () => {
    const pictures = store()
    for (const work of [() => pictures.put(jpeg), () => pictures.get(unknownKey), () => pictures.remove(unknownKey)]) {
      bucket.received.length = 0
      bucket.troubles.push(500, 500)
      const error = await failureOf(work())
      expect(error).toBeInstanceOf(PicturesUnavailable)
      expect(error.message).toMatch(/^pictures: (PUT|GET|DELETE) in the bucket failed: status 500$/)
      expect(bucket.received).toHaveLength(2)
    }
  })

  test.each(['silent', 'half'] as const)('whose reply is %s times out', async (trouble) => {
    // On a busy machine the time may be over before the bucket has a request: then the next time is longer.
    for (let timeoutMs = 100; bucket.received.length !== 2 && timeoutMs < 60_000; timeoutMs *= 4) {
      bucket.received.length = 0
      bucket.troubles.splice(0, 2, trouble, trouble)
      const error = await failureOf(store({ timeoutMs }).get(unknownKey))
      expect(error).toBeInstanceOf(PicturesUnavailable)
      expect(error.message).toBe('pictures: GET in the bucket failed: timed out')
    }
    expect(bucket.received).toHaveLength(2)
  })

  test('that is unreachable throws PicturesUnavailable', async () => {
    await bucket.stop()
    const error = await failureOf(store().put(jpeg))
    expect(error).toBeInstanceOf(PicturesUnavailable)
    expect(error.message).toBe('pictures: PUT in the bucket failed: ECONNREFUSED')
    bucket = await startBucket()
  })

  test.each([
    ['a page', Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['nothing', Buffer.alloc(0)],
    ['a picture of another format', png.bytes],
  ])('that has %s in place of a picture: it is not served', async (_what, bytes) => {
    const key = await store().put(jpeg)
    const [path = ''] = bucket.objects.keys()
    bucket.objects.set(path, { bytes, type: 'image/jpeg' })
    const error = await failureOf(store().get(key))
    expect(error).toBeInstanceOf(PicturesUnavailable)
    expect(error.message).toBe('pictures: GET in the bucket answered with something else than the picture')
  })

  test('that answers with more than any picture has is cut off', async () => {
    const key = await store().put(jpeg)
    const [path = ''] = bucket.objects.keys()
    bucket.objects.set(path, { bytes: Buffer.concat([jpeg.bytes, Buffer.alloc(2_097_152)]), type: 'image/jpeg' })
    const error = await failureOf(store().get(key))
    expect(error.message).toBe('pictures: GET in the bucket failed: The answer is longer than 2097152 bytes')
  })

  test('that refuses is not retried', async () => {
    const error = await failureOf(store({ secretAccessKey: 'wrong' }).put(jpeg))
    expect(error).not.toBeInstanceOf(PicturesUnavailable)
    expect(error.message).toBe('pictures: PUT in the bucket failed: status 403 (SignatureDoesNotMatch)')
    expect(bucket.received).toHaveLength(1)
  })

  test.each([301, 307, 400])('that answers %i is an error, and no redirect is followed', async (status) => {
    const pictures = store()
    for (const work of [() => pictures.put(jpeg), () => pictures.get(unknownKey), () => pictures.remove(unknownKey)]) {
      bucket.received.length = 0
      bucket.troubles.push(status)
      const error = await failureOf(work())
      expect(error).not.toBeInstanceOf(PicturesUnavailable)
      expect(error.message).toContain(`failed: status ${status}`)
      expect(bucket.received).toHaveLength(1)
    }
  })
})
