import { crc32, deflateSync } from 'node:zlib'
import sharp, { type Sharp } from 'sharp'
import { describe, expect, test } from 'vitest'
import { encodePicture } from '../../src/profiles/pictures/encode.ts'
import { acceptableHeader } from '../../src/profiles/pictures/header.ts'
import { PicturesUnavailable } from '../../src/profiles/pictures/store.ts'

const background = { r: 90, g: 120, b: 30 }

function plain(width: number, height: number) {
  return sharp({ create: { width, height, channels: 3, background } })
}

function noisy(width: number, height: number) {
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const
  return sharp({ create: { width, height, channels: 3, background, noise } })
}

/** A PNG whose header says that it is this large. */
function claiming(png: Buffer, side: number): Buffer {
  const header = Buffer.from(png.subarray(12, 29))
  header.writeUInt32BE(side, 4)
  header.writeUInt32BE(side, 8)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(header))
  return Buffer.concat([png.subarray(0, 12), header, sum, png.subarray(33)])
}

/** The same, as the header of the frame says it. */
function jpegClaiming(jpeg: Buffer, side: number): Buffer {
  const changed = Buffer.from(jpeg)
  const frame = [0xc0, 0xc2].map((marker) => jpeg.indexOf(Buffer.from([0xff, marker]))).find((at) => at > 0) as number
  for (const at of [frame + 5, frame + 7]) changed.writeUInt16BE(side, at)
  return changed
}

describe('files that are no JPEG, GIF or PNG are refused', () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="90" height="90"><rect width="90" height="90"/></svg>'
  const texts = {
    empty: '',
    text: 'hello',
    svg,
    'svg with a declaration': `<?xml version="1.0"?>${svg}`,
    html: '<!doctype html><script>alert(1)</script>',
    pdf: '%PDF-1.7\n1 0 obj\n<<>>\nendobj\n',
    'a GIF signature before an svg': `GIF89a${svg}`,
    'a GIF signature before a script': 'GIF89a/*.*/=1;alert(1)',
    'a GIF signature alone': 'GIF87a',
  }
  test.each(Object.entries(texts))('such as %s', async (_name, text) => {
    expect(await encodePicture(Buffer.from(text))).toBeNull()
  })

  test.each(['webp', 'tiff', 'avif'] as const)('such as a picture in %s', async (format) => {
    const upload = await plain(80, 80).toFormat(format).toBuffer()
    expect(await encodePicture(upload)).toBeNull()
  })

  test('a signature with the content of another format', async () => {
    const jpeg = await plain(80, 80).jpeg().toBuffer()
    const png = await plain(80, 80).png().toBuffer()
    const webp = await plain(80, 80).webp().toBuffer()
    for (const upload of [
      Buffer.concat([png.subarray(0, 8), jpeg]),
      Buffer.concat([jpeg.subarray(0, 3), webp]),
      Buffer.concat([Buffer.from('GIF89a'), png]),
      jpeg.subarray(0, 3),
      png.subarray(0, 8),
    ]) {
      expect(await encodePicture(upload)).toBeNull()
    }
  })

  test('noise, with and without a signature', async () => {
    const noise = await noisy(40, 40).raw().toBuffer()
    expect(await encodePicture(noise)).toBeNull()
    expect(await encodePicture(Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), noise]))).toBeNull()
  })
})

describe('damaged files are refused', () => {
  const formats = {
    jpeg: (image: Sharp) => image.jpeg(),
    'progressive jpeg': (image: Sharp) => image.jpeg({ progressive: true }),
    png: (image: Sharp) => image.png(),
    'interlaced png': (image: Sharp) => image.png({ progressive: true }),
    gif: (image: Sharp) => image.gif({ effort: 1 }),
  }

  test.each(Object.entries(formats))('a truncated %s', async (_name, created) => {
    // The tall ones are cut below the part that the crop keeps.
    for (const [width, height] of [
      [200, 150],
      [100, 700],
    ] as const) {
      const whole = await created(noisy(width, height)).toBuffer()
      expect(await encodePicture(whole)).not.toBeNull()
      for (const share of [0.01, 0.3, 0.6, 0.9, 0.98]) {
        expect(await encodePicture(whole.subarray(0, Math.floor(whole.length * share)))).toBeNull()
      }
    }
  })

  test('a PNG with a changed byte', async () => {
    const upload = await noisy(100, 100).png().toBuffer()
    const middle = Math.floor(upload.length / 2)
    upload[middle] = upload[middle]! ^ 0xff
    expect(await encodePicture(upload)).toBeNull()
  })
})

function chunk(type: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type), content])
  const [size, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  size.writeUInt32BE(content.length)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([size, named, sum])
}

/** An all-black PNG; libvips cannot create one of these sizes. */
function blackPng(width: number, height: number): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.writeUInt8(8, 8)
  const rows = deflateSync(Buffer.alloc((width + 1) * height))
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))])
}

describe('pictures too large to decode are refused', () => {
  test.each([
    [25_000_000, 1],
    [1, 25_000_000],
    [20_001, 1_100],
    [2_001, 100],
    [50, 1_001],
  ])('a strip of %i x %i, however small its file', async (width, height) => {
    const upload = blackPng(width, height)
    expect(upload.length).toBeLessThan(100_000)
    expect(await encodePicture(upload)).toBeNull()
  })

  test('but a panorama of 20 to 1 is accepted', async () => {
    expect(await encodePicture(blackPng(2_000, 100))).not.toBeNull()
    expect(await encodePicture(blackPng(20_000, 1_000))).not.toBeNull()
  })

  test('a picture that needs more than 100 MB of memory', async () => {
    const deep = await plain(30, 30).ensureAlpha().toColourspace('rgb16').png({ progressive: true }).toBuffer()
    expect(acceptableHeader(claiming(deep, 3_500))).not.toBeNull()
    expect(acceptableHeader(claiming(deep, 4_000))).toBeNull()
    const progressive = await plain(30, 30).jpeg({ progressive: true, chromaSubsampling: '4:4:4' }).toBuffer()
    expect(acceptableHeader(jpegClaiming(progressive, 4_000))).not.toBeNull()
    expect(acceptableHeader(jpegClaiming(progressive, 5_000))).toBeNull()
  })

  test('before they enter the queue', async () => {
    const waiting = await noisy(40, 40).jpeg().toBuffer()
    const others = Promise.all(Array.from({ length: 34 }, () => encodePicture(waiting)))
    expect(await encodePicture(blackPng(25_000_000, 1))).toBeNull()
    await others
  })

  test('a PNG that claims 30000 x 30000', async () => {
    const small = await plain(30, 30).png().toBuffer()
    expect(await encodePicture(claiming(small, 30))).not.toBeNull()
    expect(await encodePicture(claiming(small, 30_000))).toBeNull()
    expect(await encodePicture(claiming(small, 0x7fffffff))).toBeNull()
  })

  test('a GIF that claims 65535 x 65535', async () => {
    const upload = await plain(30, 30).gif().toBuffer()
    const frame = upload.lastIndexOf(Buffer.from([0x2c, 0, 0, 0, 0, 30, 0, 30, 0]))
    expect(frame).toBeGreaterThan(0)
    for (const place of [6, 8, frame + 5, frame + 7]) upload.writeUInt16LE(65_535, place)
    expect(await encodePicture(upload)).toBeNull()
  })

  test('a small file that really holds 36 megapixels', async () => {
    const upload = await plain(6_000, 6_000).png().toBuffer()
    expect(upload.length).toBeLessThan(1_000_000)
    expect(await encodePicture(upload)).toBeNull()
  })

  test('a JPEG of 64 megapixels, but one of 36, as cameras make, is accepted', async () => {
    const upload = await plain(6_000, 6_000).jpeg().toBuffer()
    expect(await encodePicture(upload)).not.toBeNull()
    expect(acceptableHeader(jpegClaiming(upload, 7_000))).not.toBeNull()
    expect(acceptableHeader(jpegClaiming(upload, 8_000))).toBeNull()
  })
})

describe('concurrent pictures', () => {
  test('are decoded at most two at a time, and all are served', async () => {
    const upload = await noisy(600, 600).jpeg().toBuffer()
    let most = 0
    const watch = setInterval(() => {
      const { queue, process } = sharp.counters()
      // Not their sum: a picture that moves between the two readings would count twice.
      most = Math.max(most, queue, process)
    }, 1)
    const pictures = await Promise.all(Array.from({ length: 20 }, () => encodePicture(upload)))
    clearInterval(watch)
    expect(pictures.every((picture) => picture !== null)).toBe(true)
    expect(most).toBeGreaterThan(0)
    expect(most).toBeLessThanOrEqual(2)
  })

  test('beyond the queue are refused with PicturesUnavailable, and the queue continues', async () => {
    const upload = await noisy(40, 40).jpeg().toBuffer()
    const outcomes = await Promise.allSettled(Array.from({ length: 50 }, () => encodePicture(upload)))
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected')
    expect(refused).toHaveLength(50 - 34)
    expect(refused.every(({ reason }) => reason instanceof PicturesUnavailable)).toBe(true)
    expect(await encodePicture(upload)).not.toBeNull()
  })

  test('that are refused free their place in the queue', async () => {
    const broken = (await noisy(100, 100).jpeg().toBuffer()).subarray(0, 900)
    await Promise.all(Array.from({ length: 10 }, () => encodePicture(broken)))
    expect(await encodePicture(await plain(50, 50).jpeg().toBuffer())).not.toBeNull()
  })
})

describe('a JPEG with many scans', () => {
  /** A progressive JPEG of one colour, with this many scans of one coefficient each after the first. */
  async function withScans(side: number, scans: number): Promise<Buffer> {
    const jpeg = await plain(side, side).jpeg({ progressive: true, chromaSubsampling: '4:4:4' }).toBuffer()
    const marker = (name: number, from: number) => jpeg.indexOf(Buffer.from([0xff, name]), from)
    const table = marker(0xc4, marker(0xda, 0))
    const scan = marker(0xda, table)
    const next = marker(0xc4, scan)
    const piece = (index: number) => {
      const copy = Buffer.from(jpeg.subarray(table, next))
      const at = scan - table
      copy[at + 5] = 1 + (index % 3)
      copy.fill(1 + Math.floor(index / 3), at + 7, at + 9)
      copy[at + 9] = 0
      return copy
    }
    const pieces = Array.from({ length: scans }, (_, index) => piece(index))
    return Buffer.concat([jpeg.subarray(0, table), ...pieces, Buffer.from([0xff, 0xd9])])
  }

  test('is refused by its header when they pass over too many pixels', async () => {
    const many = await withScans(4_000, 185)
    expect(many.length).toBeLessThan(110_000)
    expect(acceptableHeader(many)).toBeNull()
    expect(acceptableHeader(await withScans(4_000, 9))).not.toBeNull()
  })

  test('is accepted while it is small, with anything after its end', async () => {
    const small = await withScans(200, 185)
    expect(await encodePicture(small)).not.toBeNull()
    const scans = Buffer.concat(Array(5_000).fill(Buffer.from([0xff, 0xda, 0, 2])))
    expect(acceptableHeader(Buffer.concat([small, scans]))).not.toBeNull()
    expect(acceptableHeader(Buffer.concat([small.subarray(0, -2), scans]))).toBeNull()
  })
})
