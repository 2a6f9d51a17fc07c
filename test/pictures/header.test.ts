// The values read from a header are those that the decoder finds.

import sharp, { type Sharp } from 'sharp'
import { describe, expect, test } from 'vitest'
import { readHeader } from '../../src/profiles/pictures/header.ts'

const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 4, background: { r: 90, g: 120, b: 30, alpha: 0.5 } } })

const kinds: Record<string, { make: (image: Sharp) => Sharp; bytesOfPixel: number }> = {
  'a JPEG': { make: (image) => image.jpeg(), bytesOfPixel: 0 },
  'a progressive JPEG': {
    make: (image) => image.jpeg({ progressive: true, chromaSubsampling: '4:4:4' }),
    bytesOfPixel: 6,
  },
  'one with fewer colours': {
    make: (image) => image.jpeg({ progressive: true, chromaSubsampling: '4:2:0' }),
    bytesOfPixel: 3,
  },
  'a grey JPEG': { make: (image) => image.greyscale().jpeg(), bytesOfPixel: 0 },
  'a JPEG with a description': {
    make: (image) => image.jpeg().withExif({ IFD0: { Copyright: 'x' } }),
    bytesOfPixel: 0,
  },
  'a PNG': { make: (image) => image.png(), bytesOfPixel: 4 },
  'an opaque PNG': { make: (image) => image.removeAlpha().png(), bytesOfPixel: 3 },
  'a deep PNG': { make: (image) => image.toColourspace('rgb16').png(), bytesOfPixel: 8 },
  'a PNG with a palette': { make: (image) => image.png({ palette: true }), bytesOfPixel: 4 },
  'a GIF': { make: (image) => image.gif(), bytesOfPixel: 4 },
}

describe.each(Object.keys(kinds))('%s', (kind) => {
  const { make, bytesOfPixel } = kinds[kind] as (typeof kinds)[string]

  test('has the size that the decoder finds', async () => {
    const upload = await make(picture(320, 176)).toBuffer()
    expect(readHeader(upload)).toMatchObject({ width: 320, height: 176, decodedBytes: 320 * 176 * bytesOfPixel })
    const { format, width, height } = await sharp(upload).metadata()
    expect(readHeader(upload)).toMatchObject({ format, width, height })
  })

  test('has no size when it is truncated', async () => {
    const upload = await make(picture(32, 32)).toBuffer()
    for (let size = 0; size < 24; size++) expect(readHeader(upload.subarray(0, size))).toBeNull()
  })
})

test('a JPEG with one scan per colour counts as progressive', async () => {
  const upload = await picture(320, 176).jpeg({ chromaSubsampling: '4:4:4' }).toBuffer()
  const scan = upload.indexOf(Buffer.from([0xff, 0xda]))
  upload.writeUInt8(1, scan + 4)
  expect(readHeader(upload)).toMatchObject({ decodedBytes: 320 * 176 * 6 })
})

test('the first frame of a GIF may be larger than its screen', async () => {
  const upload = await picture(30, 30).gif().toBuffer()
  upload.writeUInt16LE(5, 6)
  upload.writeUInt16LE(5, 8)
  expect(readHeader(upload)).toMatchObject({ width: 30, height: 30 })
})

test('random bytes have no size, and cause no error', () => {
  for (const magic of ['\xff\xd8\xff', '\x89PNG\r\n\x1a\n', 'GIF89a']) {
    for (let seed = 0; seed < 500; seed++) {
      const noise = Buffer.from(Array.from({ length: 60 }, (_, at) => (seed * 131 + at * at * 31 + at * seed) & 255))
      expect(() => readHeader(Buffer.concat([Buffer.from(magic, 'latin1'), noise]))).not.toThrow()
    }
  }
})
