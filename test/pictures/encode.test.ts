import { crc32 } from 'node:zlib'
import sharp, { type Sharp } from 'sharp'
import { describe, expect, test } from 'vitest'
import { encodePicture } from '../../src/profiles/pictures/encode.ts'
import type { EncodedPicture } from '../../src/profiles/pictures/store.ts'

type Colour = { r: number; g: number; b: number; alpha?: number }
// The library has it, but not in its types.
type WithGainMap = Sharp & { withGainMap(): Sharp }
const red = { r: 230, g: 20, b: 20 }
const green = { r: 20, g: 200, b: 20 }
const blue = { r: 20, g: 20, b: 230 }
const white = { r: 250, g: 250, b: 250 }
const sentinel = 'SENTINEL-7f3a91'

function plain(width: number, height: number, background: Colour = red) {
  return sharp({ create: { width, height, channels: background.alpha === undefined ? 3 : 4, background } })
}

function noisy(width: number, height: number) {
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const
  return sharp({ create: { width, height, channels: 3, background: red, noise } })
}

async function quadrants(side: number) {
  const part = async (colour: Colour) =>
    await plain(side / 2, side / 2, colour)
      .png()
      .toBuffer()
  return plain(side, side).composite([
    { input: await part(red), left: 0, top: 0 },
    { input: await part(green), left: side / 2, top: 0 },
    { input: await part(blue), left: side / 2, top: side / 2 },
    { input: await part(white), left: 0, top: side / 2 },
  ])
}

async function accepted(upload: Buffer): Promise<EncodedPicture> {
  const picture = await encodePicture(upload)
  if (picture === null) throw new Error('the upload was refused')
  return picture
}

async function pixel(picture: EncodedPicture, at: { x: number; y: number }): Promise<Colour> {
  const { data, info } = await sharp(picture.bytes).raw().toBuffer({ resolveWithObject: true })
  const start =
    (Math.floor(at.y * (info.height - 1)) * info.width + Math.floor(at.x * (info.width - 1))) * info.channels
  const [r = -1, g = -1, b = -1, alpha = 255] = data.subarray(start, start + info.channels)
  return { r, g, b, alpha }
}

function near(one: Colour, other: Colour): boolean {
  return Math.abs(one.r - other.r) < 25 && Math.abs(one.g - other.g) < 25 && Math.abs(one.b - other.b) < 25
}

function pngChunk(type: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type), content])
  const chunk = Buffer.alloc(named.length + 8)
  chunk.writeUInt32BE(content.length, 0)
  named.copy(chunk, 4)
  chunk.writeUInt32BE(crc32(named), named.length + 4)
  return chunk
}

describe('formats', () => {
  test.each(['jpeg', 'png', 'gif'] as const)('an opaque %s becomes a JPEG', async (format) => {
    const picture = await accepted(await plain(300, 200).toFormat(format).toBuffer())
    expect(picture).toMatchObject({ mediaType: 'image/jpeg', extension: 'jpg' })
    expect(await sharp(picture.bytes).metadata()).toMatchObject({ format: 'jpeg', width: 200, height: 200 })
    expect(near(await pixel(picture, { x: 0.5, y: 0.5 }), red)).toBe(true)
  })

  test.each(['png', 'gif'] as const)('a transparent %s becomes a PNG', async (format) => {
    const hole = await plain(100, 100, { ...red, alpha: 1 })
      .png()
      .toBuffer()
    const upload = plain(300, 300, { ...red, alpha: 1 }).composite([
      { input: hole, left: 100, top: 100, blend: 'dest-out' },
    ])
    const picture = await accepted(await upload.toFormat(format).toBuffer())
    expect(picture).toMatchObject({ mediaType: 'image/png', extension: 'png' })
    expect(await sharp(picture.bytes).metadata()).toMatchObject({ format: 'png', width: 300, hasAlpha: true })
    expect(await pixel(picture, { x: 0.5, y: 0.5 })).toMatchObject({ alpha: 0 })
    expect(await pixel(picture, { x: 0.1, y: 0.1 })).toMatchObject({ alpha: 255 })
  })

  test('a picture with an opaque alpha channel becomes a JPEG', async () => {
    const upload = await plain(64, 64, { ...green, alpha: 1 })
      .png()
      .toBuffer()
    expect(await sharp(upload).metadata()).toMatchObject({ hasAlpha: true })
    expect(await accepted(upload)).toMatchObject({ mediaType: 'image/jpeg' })
  })

  test('a picture that is transparent only outside the crop becomes a JPEG', async () => {
    const opaque = await plain(100, 100, { ...green, alpha: 1 })
      .png()
      .toBuffer()
    const upload = plain(300, 100, { ...green, alpha: 0 }).composite([{ input: opaque, left: 100, top: 0 }])
    expect(await accepted(await upload.png().toBuffer())).toMatchObject({ mediaType: 'image/jpeg' })
  })
})

describe('variants of the formats', () => {
  test('the picture of an animation is its first frame', async () => {
    const frames = await Promise.all([green, red, blue].map((colour) => plain(90, 60, colour).png().toBuffer()))
    const upload = await sharp(frames, { join: { animated: true } })
      .gif()
      .toBuffer()
    expect(await sharp(upload).metadata()).toMatchObject({ pages: 3 })
    const picture = await accepted(upload)
    expect(await sharp(picture.bytes).metadata()).toMatchObject({ width: 60, height: 60 })
    expect(near(await pixel(picture, { x: 0.5, y: 0.5 }), green)).toBe(true)
  })

  test.each([
    ['greyscale JPEG', (from: Sharp) => from.toColourspace('b-w').jpeg()],
    ['CMYK JPEG', (from: Sharp) => from.toColourspace('cmyk').jpeg()],
    ['progressive JPEG', (from: Sharp) => from.jpeg({ progressive: true })],
    ['16-bit PNG', (from: Sharp) => from.toColourspace('rgb16').png()],
    ['interlaced PNG', (from: Sharp) => from.png({ progressive: true })],
    ['palette PNG', (from: Sharp) => from.png({ palette: true })],
    ['JPEG with an HDR gain map', (from: Sharp) => (from as WithGainMap).withGainMap().jpeg()],
  ])('a %s is accepted', async (_name, created) => {
    const grey = { r: 120, g: 120, b: 120 }
    const picture = await accepted(await created(plain(320, 200, grey)).toBuffer())
    expect(await sharp(picture.bytes).metadata()).toMatchObject({
      format: 'jpeg',
      space: 'srgb',
      channels: 3,
      width: 200,
    })
    expect(near(await pixel(picture, { x: 0.5, y: 0.5 }), grey)).toBe(true)
  })

  test('colours of a wide-gamut profile are converted to sRGB and the profile is removed', async () => {
    const pure = { r: 255, g: 0, b: 0 }
    const wide = await plain(40, 40, pure).withIccProfile('p3').png().toBuffer()
    const [, unconverted] = await sharp(wide, { ignoreIcc: true }).raw().toBuffer()
    expect(unconverted).toBeGreaterThan(40)
    const picture = await accepted(wide)
    expect((await sharp(picture.bytes).metadata()).icc).toBeUndefined()
    expect(near(await pixel(picture, { x: 0.5, y: 0.5 }), pure)).toBe(true)
  })
})

describe('shape', () => {
  test.each([
    [100, 80, 80],
    [80, 100, 80],
    [1, 1, 1],
    [150, 3000, 150],
    [512, 512, 512],
    [513, 511, 511],
    [1001, 777, 512],
    [3000, 2001, 512],
    [700, 5000, 512],
  ])('%i x %i becomes a square of %i', async (width, height, side) => {
    for (const format of ['jpeg', 'png'] as const) {
      const { bytes } = await accepted(await plain(width, height).toFormat(format).toBuffer())
      expect(await sharp(bytes).metadata()).toMatchObject({ width: side, height: side })
    }
  })

  test.each([
    [600, 200],
    [200, 600],
  ])('the centre of %i x %i is kept', async (width, height) => {
    const centre = await plain(200, 200, green).png().toBuffer()
    const upload = await plain(width, height)
      .composite([{ input: centre, gravity: 'centre' }])
      .png()
      .toBuffer()
    const picture = await accepted(upload)
    for (const x of [0.03, 0.5, 0.97]) {
      for (const y of [0.03, 0.5, 0.97]) expect(near(await pixel(picture, { x, y }), green)).toBe(true)
    }
  })
})

describe('orientation', () => {
  test.each([
    [1, [red, green, blue, white]],
    [2, [green, red, white, blue]],
    [3, [blue, white, red, green]],
    [4, [white, blue, green, red]],
    [5, [red, white, blue, green]],
    [6, [white, red, green, blue]],
    [7, [blue, green, red, white]],
    [8, [green, blue, white, red]],
  ])('orientation %i is applied', async (orientation, corners) => {
    const drawn = await (await quadrants(600)).png().toBuffer()
    const picture = await accepted(await sharp(drawn).withMetadata({ orientation }).jpeg().toBuffer())
    const places = [0.2, 0.8].flatMap((y) => [0.2, 0.8].map((x) => ({ x, y })))
    const [topLeft, topRight, bottomLeft, bottomRight] = await Promise.all(places.map((at) => pixel(picture, at)))
    const found = [topLeft, topRight, bottomRight, bottomLeft]
    corners.forEach((corner, index) => {
      expect(near(found[index]!, corner)).toBe(true)
    })
    expect((await sharp(picture.bytes).metadata()).orientation).toBeUndefined()
  })

  test('the orientation is applied before the crop', async () => {
    const middle = await plain(200, 200, green).png().toBuffer()
    const drawn = await plain(600, 200)
      .composite([{ input: middle, left: 200, top: 0 }])
      .png()
      .toBuffer()
    const picture = await accepted(await sharp(drawn).withMetadata({ orientation: 6 }).png().toBuffer())
    expect(await sharp(picture.bytes).metadata()).toMatchObject({ width: 200, height: 200 })
    for (const y of [0.05, 0.95]) expect(near(await pixel(picture, { x: 0.5, y }), green)).toBe(true)
  })
})

describe('only the pixels are stored', () => {
  const exif = { IFD0: { Copyright: sentinel }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1' } }
  const xmp = `<x:xmpmeta xmlns:x="adobe:ns:meta/">${sentinel}</x:xmpmeta>`

  test.each(['jpeg', 'png'] as const)('metadata of a %s is removed', async (format) => {
    const upload = await noisy(80, 80).withExif(exif).withXmp(xmp).toFormat(format).toBuffer()
    expect(upload.includes(sentinel)).toBe(true)
    const { bytes } = await accepted(upload)
    const { exif: keptExif, xmp: keptXmp, icc, iptc, comments } = await sharp(bytes).metadata()
    expect([keptExif, keptXmp, icc, iptc, comments]).toEqual(Array(5).fill(undefined))
    expect(bytes.includes(sentinel) || bytes.includes('Exif')).toBe(false)
  })

  test('comments are removed', async () => {
    const text = Buffer.from(sentinel)
    const jpeg = await noisy(50, 50).jpeg().toBuffer()
    const jpegComment = Buffer.concat([Buffer.from([0xff, 0xfe, 0, text.length + 2]), text])
    const png = await plain(50, 50, { ...red, alpha: 0.5 })
      .png()
      .toBuffer()
    const pngComment = pngChunk('tEXt', Buffer.concat([Buffer.from('Comment\0'), text]))
    for (const upload of [
      Buffer.concat([jpeg.subarray(0, 2), jpegComment, jpeg.subarray(2)]),
      Buffer.concat([png.subarray(0, 33), pngComment, png.subarray(33)]),
    ]) {
      expect(upload.includes(sentinel)).toBe(true)
      expect((await accepted(upload)).bytes.includes(sentinel)).toBe(false)
    }
  })

  test.each(['jpeg', 'png', 'gif'] as const)('a payload after the end of a %s is removed', async (format) => {
    const payload = `<html><script>alert("${sentinel}")</script></html>PK\u0003\u0004`
    const upload = Buffer.concat([await plain(60, 60).toFormat(format).toBuffer(), Buffer.from(payload)])
    const { bytes } = await accepted(upload)
    expect(bytes.includes(sentinel) || bytes.includes('<script')).toBe(false)
  })
})
