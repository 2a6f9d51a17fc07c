import sharp from 'sharp'
import { PicturesUnavailable } from './store.ts'

export type EncodedPicture =
  | { bytes: Buffer; mediaType: 'image/jpeg'; extension: 'jpg' }
  | { bytes: Buffer; mediaType: 'image/png'; extension: 'png' }

type Format = 'jpeg' | 'png' | 'gif'
type Pixels = { data: Buffer; width: number; height: number; channels: 3 | 4 }

const longestSide = 512
const decodeSeconds = 15
const decodingAtOnce = 2
const waitingAtMost = 32

// A phone makes JPEGs of 50 megapixels, and they decode at a reduced scale. An interlaced PNG or a GIF has to be held
// whole, with up to 8 bytes for a pixel, so that these are kept to half of that.
const pixelLimits: Record<Format, number> = { jpeg: 51_000_000, png: 25_000_000, gif: 25_000_000 }

const signatures: { format: Format; magic: Buffer }[] = [
  { format: 'jpeg', magic: Buffer.from([0xff, 0xd8, 0xff]) },
  { format: 'png', magic: Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) },
  { format: 'gif', magic: Buffer.from('GIF87a') },
  { format: 'gif', magic: Buffer.from('GIF89a') },
]

// Uploads do not repeat, so a cache would only hold on to memory; and one thread for each picture leaves the number of
// pictures at once as the only thing that decides how much of the machine they take.
sharp.cache(false)
sharp.concurrency(1)

// libvips can read far more than the three formats, through parsers with a wider surface (SVG, PDF, TIFF). None of them
// is reachable from here. It also has a phone's HDR JPEG read as the ordinary JPEG that it is as well.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadNsgifBuffer'],
})

/**
 * A square picture made of nothing but the pixels of the upload, or null when the upload is not a JPEG, GIF or PNG,
 * cannot be decoded, or is larger than is reasonable to decode. Throws PicturesUnavailable when too many are waiting.
 */
export async function encodePicture(upload: Buffer): Promise<EncodedPicture | null> {
  const format = formatOf(upload)
  if (format === null) return null
  return await inTurn(async () => {
    const pixels = await decode(upload, format)
    return pixels === null ? null : await encode(centreSquare(pixels))
  })
}

function formatOf(upload: Buffer): Format | null {
  const found = signatures.find(({ magic }) => upload.subarray(0, magic.length).equals(magic))
  return found?.format ?? null
}

let decoding = 0
const waiting: (() => void)[] = []

// Decoding runs on the four threads that Node also uses for files and names, so that it must not take them all. The
// line is bounded because each that waits holds its upload in memory.
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (decoding < decodingAtOnce) decoding += 1
  else {
    if (waiting.length >= waitingAtMost) throw new PicturesUnavailable('pictures: too many are being processed')
    await new Promise<void>((resolve) => waiting.push(resolve))
  }
  try {
    return await work()
  } finally {
    // A finished one hands its place to the next in line, so that the count only goes down when no one waits.
    const next = waiting.shift()
    if (next) next()
    else decoding -= 1
  }
}

// The crop is left out of this pipeline: decoding stops after the last row that is needed, and a file cut short below
// the crop would go unnoticed.
async function decode(upload: Buffer, format: Format): Promise<Pixels | null> {
  try {
    // 'error' refuses a truncated file, while the default would also refuse what cameras commonly get slightly wrong.
    const image = sharp(upload, { failOn: 'error', limitInputPixels: pixelLimits[format], pages: 1 })
    const about = await image.metadata()
    if (about.format !== format) return null
    const side = Math.min(longestSide, about.autoOrient.width, about.autoOrient.height)
    const { data, info } = await image
      .timeout({ seconds: decodeSeconds })
      .autoOrient()
      .resize(side, side, { fit: 'outside' })
      .toColourspace('srgb')
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true })
    return { data, width: info.width, height: info.height, channels: info.channels === 4 ? 4 : 3 }
  } catch {
    // Everything that goes wrong here is told by the decoder about the upload.
    return null
  }
}

function centreSquare({ data, width, height, channels }: Pixels): Pixels {
  const side = Math.min(width, height)
  const left = Math.floor((width - side) / 2)
  const top = Math.floor((height - side) / 2)
  const square = Buffer.allocUnsafe(side * side * channels)
  for (let row = 0; row < side; row += 1) {
    const start = ((top + row) * width + left) * channels
    data.copy(square, row * side * channels, start, start + side * channels)
  }
  return { data: square, width: side, height: side, channels }
}

// JPEG for what is opaque, as most uploads are photographs and a PNG of one is several times as large. PNG only where a
// pixel can be seen through, which JPEG cannot hold. Many an opaque image has an unused alpha channel, so the pixels
// decide. Never GIF: a profile's picture does not move, and 256 colours are too few for a photograph.
async function encode({ data, width, height, channels }: Pixels): Promise<EncodedPicture> {
  const image = sharp(data, { raw: { width, height, channels } })
  if (channels === 4 && seeThrough(data)) {
    const bytes = await image.png({ compressionLevel: 9 }).toBuffer()
    return { bytes, mediaType: 'image/png', extension: 'png' }
  }
  const bytes = await image.removeAlpha().jpeg({ quality: 85, mozjpeg: true }).toBuffer()
  return { bytes, mediaType: 'image/jpeg', extension: 'jpg' }
}

function seeThrough(rgba: Buffer): boolean {
  for (let alpha = 3; alpha < rgba.length; alpha += 4) if (rgba[alpha] !== 255) return true
  return false
}
