import sharp from 'sharp'
import { turns } from '../../platform/runtime/slots.ts'
import { acceptableHeader, type Format, mostPixels } from './header.ts'
import { type EncodedPicture, PicturesUnavailable } from './store.ts'

type Pixels = { data: Buffer; width: number; height: number; channels: 3 | 4 }

const MAX_SIDE = 512
const DECODE_TIMEOUT_SECONDS = 15
const MAX_DECODED_AT_ONCE = 2
const MAX_WAITING = 32
/** A picture that needs more bytes than this is decoded alone. */
const MAX_DECODED_TOGETHER = 50_000_000

// Uploads do not repeat, so a cache would only use memory. With one thread for each picture, the number of pictures at once alone
// decides how much of the machine they take.
sharp.cache(false)
sharp.concurrency(1)

// libvips can read far more than the three formats, through parsers with a wider attack surface (SVG, PDF, TIFF): they are
// blocked. This also makes it read a phone's HDR JPEG as an ordinary JPEG, which it also is.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadNsgifBuffer'],
})

// Decoding runs on the four threads that Node also uses for files and names, so it must not take them all. The
// queue is bounded, because each upload in it is held in memory.
const decoding = turns<null>({ atOnce: MAX_DECODED_AT_ONCE, mostWaiting: MAX_WAITING })

/**
 * A square picture with the pixels of the upload and no metadata, or null when the upload is not a JPEG, GIF or PNG,
 * cannot be decoded, or is larger than is reasonable to decode. Throws PicturesUnavailable when too many are waiting.
 */
export async function encodePicture(upload: Buffer): Promise<EncodedPicture | null> {
  const header = acceptableHeader(upload)
  if (header === null) return null
  const places = header.decodedBytes > MAX_DECODED_TOGETHER ? MAX_DECODED_AT_ONCE : 1
  const work = async () => {
    const pixels = await decode(upload, header.format)
    return pixels === null ? null : await encode(centreSquare(pixels))
  }
  return await decoding.run(null, work, () => new PicturesUnavailable('pictures: too many are being processed'), places)
}

// The crop is left out of this pipeline: decoding stops after the last row that is needed, and a file cut short below
// the crop would go unnoticed.
async function decode(upload: Buffer, format: Format): Promise<Pixels | null> {
  try {
    // 'error' refuses a truncated file, while the default would also refuse what cameras commonly get slightly wrong.
    const image = sharp(upload, { failOn: 'error', limitInputPixels: mostPixels(format), pages: 1 })
    const about = await image.metadata()
    if (about.format !== format) return null
    const side = Math.min(MAX_SIDE, about.autoOrient.width, about.autoOrient.height)
    const { data, info } = await image
      .timeout({ seconds: DECODE_TIMEOUT_SECONDS })
      .autoOrient()
      .resize(side, side, { fit: 'outside' })
      .toColourspace('srgb')
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true })
    return { data, width: info.width, height: info.height, channels: info.channels === 4 ? 4 : 3 }
  } catch {
    // Whatever fails here is the decoder's verdict on the upload.
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
// pixel can be seen through, which JPEG cannot hold. Many opaque images have an unused alpha channel, so the pixels
// decide. Never GIF: a profile's picture does not move, and 256 colours are too few for a photograph.
async function encode({ data, width, height, channels }: Pixels): Promise<EncodedPicture> {
  const image = sharp(data, { raw: { width, height, channels } })
  if (channels === 4 && isTransparent(data)) {
    const bytes = await image.png({ compressionLevel: 9 }).toBuffer()
    return { bytes, mediaType: 'image/png', extension: 'png' }
  }
  const bytes = await image.removeAlpha().jpeg({ quality: 85, mozjpeg: true }).toBuffer()
  return { bytes, mediaType: 'image/jpeg', extension: 'jpg' }
}

function isTransparent(rgba: Buffer): boolean {
  for (let alpha = 3; alpha < rgba.length; alpha += 4) if (rgba[alpha] !== 255) return true
  return false
}
